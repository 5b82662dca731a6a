// preflight_check.hpp - what all cells of a sweep would fail at, found before the first one starts.
//
// Called by the command sweep. Reads the data to learn on as every cell will, in this process.
#pragma once

#include <optional>
#include <string>

#include "launch/console.hpp"
#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

namespace sculpt::core {

// Whether the examples can be held out as `holding` says, and whether there is the figure that
// `criterion` names, and examples to measure it on. Where the grid varies what answers that, the
// cells find out themselves. Throws Failure: what a cell would, and for the criterion Exit::config,
// nothing is held out, or Exit::usage, there is no such figure; Cancelled.
void check_before_training(const std::string& config, const Grid& grid,
                           const HoldOutOptions& hold_out_options,
                           const std::optional<Criterion>& criterion, Console& console);

// --best without anything to measure by.
[[noreturn]] void refuse_nothing_held_out();

}  // namespace sculpt::core
