// infeasible_blocks.hpp - what a working set with a block for each example shows of data that hard
// margins cannot separate.
//
// Called by n_slack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/contradiction.hpp"

namespace sculpt::core {

// [n] the alpha of each example's planes.
std::vector<double> alpha_sums_of_blocks(const WorkingSet& working_set);

// Of these examples the planes that demand something, and carry alpha.
InfeasiblePlanes active_planes(const WorkingSet& working_set,
                               std::span<const std::int64_t> examples);

// Of all examples the planes that demand something.
InfeasiblePlanes all_planes(const WorkingSet& working_set);

}  // namespace sculpt::core
