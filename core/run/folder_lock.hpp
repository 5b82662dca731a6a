// folder_lock.hpp - allows one run at a time in a run folder.
//
// Held by RunFolder and SweepFolder. The lock ends with the process, however that ends, and leaves
// no file. The tasks of a cluster share the folder of a sweep.
#pragma once

#include <filesystem>
#include <utility>

namespace sculpt::core {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

  // `alone`: nobody else has the folder. `shared`: others may share it. `in_turn`: as `alone`, but
  // waits until the others have ended, for work that takes seconds.
  enum class Use { alone, shared, in_turn };

  // Locks the folder. Throws Failure(Exit::cannot_create) if another run is using the folder. On
  // file systems without locks it does nothing.
  void lock(const std::filesystem::path& folder, Use use = Use::alone);
  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

// True if a run holds the lock of this folder. False on file systems without locks.
bool is_in_use(const std::filesystem::path& folder);

}  // namespace sculpt::core
