// first_rank.hpp - work that the first rank does by itself, while the others train the cells of its
// sweeps.
//
// Called by sweep.cpp, and by train for --tune.
#pragma once

#include <functional>

#include "sweep/runs/rank_cells.hpp"

namespace sculpt::core {

// `cells`: of all ranks; nullptr: this process is alone. `threads_of`: to be asked in place of that
// of the command, because the rank has only a part of the cores.
using FirstRankWork = std::function<void(RankCells* cells, const ThreadsOf& threads_of)>;

// Calls work() on the first rank, or in a process without ranks. All ranks call it, and return
// once work() has. A failure of work() is that of all. Throws Failure. [main]
void run_on_first_rank(const ThreadsOf& threads_of, const FirstRankWork& work);

}  // namespace sculpt::core
