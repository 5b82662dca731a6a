// cell_text.hpp - how a cell of a sweep ended, in words.
//
// Called by all that print how cells end.
#pragma once

#include <string>

#include "command/sweeping/sweep_request.hpp"
#include "launch/console.hpp"
#include "sweep/runs/cell_record.hpp"

namespace sculpt::core {

// How a cell ended: its failure, or passes, gap and time.
std::string record_text(const CellRecord& record);

// Prints how a cell ended, with `suffix`: a line, or a warning if it has failed.
void print_cell(const SweepRequest& request, const Cell& cell, const CellRecord& record,
                const std::string& suffix, Console& console);

}  // namespace sculpt::core
