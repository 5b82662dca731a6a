// answers_at_a_time.hpp - how many answers of the oracle a pass at one w keeps in memory at a time.
//
// Called by the solvers, by the estimate of their memory, and by verify.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sculpt::core {

// Large enough to keep all threads busy. Small compared with the number of planes in memory.
constexpr std::int64_t answers_at_a_time = 1024;

// The number of answers in memory, at most, if a solver also asks about `batch` examples at a time.
constexpr std::int64_t max_answers_in_memory(std::int64_t batch) {
  return std::max(batch, answers_at_a_time);
}

}  // namespace sculpt::core
