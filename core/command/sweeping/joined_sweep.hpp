// joined_sweep.hpp - takes part in a sweep whose cells run elsewhere: trains one of them, or
// collects what all have left.
//
// Called by sweep.cpp for --cell and --collect. The jobs of slurm_sweep.hpp run these commands.
#pragma once

#include <string>

#include "base/failure.hpp"
#include "command/sweeping/sweep_request.hpp"

namespace sculpt::core {

// Trains the cell with this name; "best": the final run. Returns Exit::reached if it has ended,
// whatever its own exit code is: the table reports that. On a stop request returns 128 + the
// signal; the same command continues. Requires restore_child_signal(). Throws Failure. Exit::usage:
// there is no such cell. Exit::missing: cells that it needs have not ended. [main]
Exit train_cell(const SweepRequest& request, const std::string& name);

// Makes the table from the cells that have ended, and says what is missing. The exit code is that
// of a sweep on this machine if nothing is missing, otherwise Exit::not_reached. Throws Failure.
// [main]
Exit collect_sweep(const SweepRequest& request);

}  // namespace sculpt::core
