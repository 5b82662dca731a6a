// all_outputs.hpp - every output that a small query has in training, for brute force.
#pragma once

#include <sculpt/sculpt.hpp>

namespace ranking {

// Each returns how many outputs there are; visits none when there could be more than `limit`.

// All orders; documents of one kind that stand together tie, or ascend with their grades.
// kind[documents]
std::int64_t each_order(std::span<const std::int32_t> kind, sculpt::Labels grades,
                        std::int64_t limit, const sculpt::Visit& visit);

// All sets of turned pairs of documents of different kinds.
std::int64_t each_turned_set(std::span<const std::int32_t> kind, sculpt::Labels grades,
                             std::int64_t limit, const sculpt::Visit& visit);

}  // namespace ranking
