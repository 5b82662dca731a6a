// all_outputs.hpp - enumerates all outputs of a small query in training, for brute force.
//
// Called by ranking_oracle.cpp.
#pragma once

#include <sculpt/sculpt.hpp>

namespace ranking {

// Each function returns the number of outputs. It visits none if there could be more than `limit`.

// Visits all orders. Consecutive documents of one group tie, or ascend with their grades.
// group[documents]
std::int64_t each_order(std::span<const std::int32_t> group, sculpt::Labels grades,
                        std::int64_t limit, const sculpt::Visit& visit);

// Visits all sets of swapped pairs of documents of different groups.
std::int64_t each_swapped_set(std::span<const std::int32_t> group, sculpt::Labels grades,
                              std::int64_t limit, const sculpt::Visit& visit);

}  // namespace ranking
