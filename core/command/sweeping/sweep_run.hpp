// sweep_run.hpp - runs the cells of a sweep on this machine, prints its table and trains the best
// point.
//
// Called by sweep.cpp, and by train for --tune.
#pragma once

#include "command/sweeping/sweep_end.hpp"
#include "command/sweeping/sweep_request.hpp"

namespace sculpt::core {

// Requires restore_child_signal(). Throws Failure. [main]
SweepEnd run_sweep(const SweepRequest& request);

}  // namespace sculpt::core
