// single_cell.hpp - trains one cell of a sweep in its place, as CellRunner would.
//
// Called by the command sweep for --cell: the tasks of a cluster.
#pragma once

#include <optional>
#include <vector>

#include "sweep/runs/cell_folder.hpp"

namespace sculpt::core {

// Starts the cell, or continues it. It takes the planes of the cell before it in its chain. So that
// one must have ended; if it has failed, this cell starts without planes. Returns how the cell
// ended; nothing if it was stopped on request. Throws Failure. Exit::missing: the cell before it
// has not ended. Exit::cannot_create: another process trains this cell.
std::optional<CellRecord> train_single_cell(const SweepPlan& plan, const CellFolder& cells,
                                            std::size_t cell, int threads);

// How each cell has ended, [cells]. CellRecord::has_ended is false for those that have not.
std::vector<CellRecord> stored_records(const SweepPlan& plan, const CellFolder& cells);

}  // namespace sculpt::core
