// answers_at_a_time.hpp - how many answers of the oracle a pass at one w holds at a time.
//
// Called by the solvers, by the estimate of the memory that they need, and by verify.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sculpt::core {

// Enough to keep all threads busy, and few against the planes that are kept.
constexpr std::int64_t answers_at_a_time = 1024;

// Held at most by a solver that also asks about `batch` examples at a time.
constexpr std::int64_t answers_held(std::int64_t batch) {
  return std::max(batch, answers_at_a_time);
}

}  // namespace sculpt::core
