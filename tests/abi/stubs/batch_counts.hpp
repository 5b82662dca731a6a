// batch_counts.hpp - what the stub batching.cpp counts, for the test that calls it.
#pragma once

#include <atomic>
#include <cstdint>

// The private extension that gives the counts: const BatchCounts*.
#define STUB_EXT_BATCH_COUNTS "org.sculpt.stub.batch-counts/1"

struct BatchCounts {
  std::atomic<std::int64_t> alone = 0;    // calls of argmax
  std::atomic<std::int64_t> batches = 0;  // calls of batch_argmax
  std::atomic<std::int64_t> in_batches = 0;
  std::atomic<std::int64_t> largest = 0;
  std::atomic<std::int64_t> value_calls = 0;  // for psi or losses of many outputs
};
