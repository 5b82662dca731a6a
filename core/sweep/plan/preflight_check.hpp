// preflight_check.hpp - finds errors that all cells of a sweep would have, before the first one
// starts.
//
// Called by the command sweep. Reads the training data as every cell will, in this process.
#pragma once

#include <optional>
#include <string>

#include "launch/console.hpp"
#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

namespace sculpt::core {

// Checks that the examples can be held out as `hold_out_options` say. Checks that the metric of
// `criterion` exists and has a direction, for some of the features and losses in the grid, and that
// there are examples to measure it on. If the grid varies the dataset, only the cells check it.
// Throws Failure: what a cell would throw. For the criterion Exit::config if nothing is held out,
// or Exit::usage if there is no such metric. Throws Cancelled.
void check_before_training(const std::string& config, const Grid& grid,
                           const HoldOutOptions& hold_out_options,
                           const std::optional<Criterion>& criterion, Console& console);

// The error for --best if no examples are held out.
[[noreturn]] void refuse_nothing_held_out();

}  // namespace sculpt::core
