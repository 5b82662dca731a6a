// sweep_end.hpp - the end of a sweep: its table, its best point and its exit code.
//
// Called once the cells have ended, and for --collect, wherever they ran.
#pragma once

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "command/sweeping/planned_sweep.hpp"
#include "sweep/results/best_point.hpp"
#include "sweep/runs/cell_record.hpp"

namespace sculpt::core {

struct SweepEnd {
  Exit exit = Exit::reached;           // of the command
  bool is_stopped = false;             // on request; the message says how to continue
  std::vector<std::string> best = {};  // the settings "KEY=VALUE" of the best point; empty: none
  std::size_t best_point = 0;          // requires `best`
  std::vector<GridEdge> edges = {};    // on which the best point lies; none if it missed its target
  std::vector<std::string> warnings = {};  // of cells that missed their target
  std::string table = {};                  // Markdown
};

// Prints the table of a sweep on stdout.
void print_table(const std::string& markdown);

// Writes the table of the cells, and chooses the best point by the criterion of the request, unless
// cells are missing. Prints both if the request says so. The exit code is that of the first cell
// that failed. Otherwise Exit::not_reached if a cell is missing or missed its target. `records`:
// [cells]. Throws Failure.
SweepEnd end_of_cells(const SweepRequest& request, const PlannedSweep& sweep,
                      const std::vector<CellRecord>& records, Console& console);

// True if the final run with the best settings has ended, with or without a model. Requires a best
// point.
bool has_ended_best(const PlannedSweep& sweep, const SweepEnd& end);

// The final run has ended with `exit_code`. Throws Failure(Exit::data) if it was trained on other
// data than the sweep.
void require_same_data(const PlannedSweep& sweep, const SweepEnd& end, int exit_code);

}  // namespace sculpt::core
