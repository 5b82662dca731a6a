// sweep_run.hpp - runs the cells of a sweep on this machine, or on all ranks. Prints its table and
// trains the best point.
//
// Called by sweep.cpp, and by train for --tune.
#pragma once

#include "command/sweeping/sweep_end.hpp"
#include "command/sweeping/sweep_request.hpp"
#include "sweep/runs/rank_cells.hpp"

namespace sculpt::core {

// `cells`: of all ranks, and this is the first one (first_rank.hpp). nullptr: cells run here.
// Requires restore_child_signal(). Throws Failure. [main]
SweepEnd run_sweep(const SweepRequest& request, RankCells* cells);

}  // namespace sculpt::core
