// infeasible_blocks.hpp - finds the examples and planes that make hard margins infeasible.
//
// Called by n_slack: its working set has a block for each example.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/contradiction.hpp"

namespace sculpt::core {

// [n] the sum of alpha of each example's planes.
std::vector<double> alpha_sums_of_blocks(const WorkingSet& working_set);

// The planes of these examples with b > 0 and alpha > 0.
InfeasiblePlanes active_planes(const WorkingSet& working_set,
                               std::span<const std::int64_t> examples);

// The planes of all examples with b > 0.
InfeasiblePlanes all_planes(const WorkingSet& working_set);

}  // namespace sculpt::core
