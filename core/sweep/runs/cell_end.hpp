// cell_end.hpp - how the process of a cell ended: cells/NAME.json.
//
//   exit         its exit code, as in CellRecord. Only if the last process of the cell has ended by
//                itself: it is removed before the next one starts, and a stopped one leaves none
//   peak_bytes   its peak memory, if it has a model
//
// Written by CellRunner and SingleCell, read by those who continue or collect a sweep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "sweep/runs/cell_record.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {

struct CellEnd {
  std::optional<int> exit_code;  // nothing: it has not ended
  std::int64_t peak_bytes = 0;   // 0: not known
};

// A file that cannot be read counts as one that does not exist.
CellEnd read_cell_end(const std::filesystem::path& path);

// Stores how the process of a cell ended; if it was stopped (`is_stopped`), its peak memory alone.
// A cell that had already ended uses little memory now, so a larger peak that is stored is kept.
// Throws Failure(Exit::write_failed).
void store_end(const std::filesystem::path& path, const CellRecord& record,
               const ProcessExit& process, bool is_stopped = false);

// Removes the exit code, before a process starts. Throws Failure(Exit::write_failed).
void forget_cell_end(const std::filesystem::path& path);

}  // namespace sculpt::core
