// cell_lock.hpp - allows one process at a time to train a cell of a sweep.
//
// Held by SingleCell. A cluster may run two tasks of one cell: one that was queued twice, or one on
// a node that was believed to be dead. The lock is on the log of the cell, because its run folder
// does not exist before its data are read. It ends with the process, however that ends.
#pragma once

#include <filesystem>

#include "base/file/file_descriptor.hpp"

namespace sculpt::core {

class CellLock {
 public:
  // Makes the log if it does not exist. Throws Failure(Exit::cannot_create) if another process
  // trains this cell. On file systems without locks it does nothing.
  explicit CellLock(const std::filesystem::path& log);

 private:
  FileDescriptor file_;
};

// True if a process trains the cell with this log. False on file systems without locks.
bool is_trained_now(const std::filesystem::path& log);

}  // namespace sculpt::core
