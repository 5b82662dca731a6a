// folder_lock.hpp - allows one run at a time in a run folder.
//
// Held by RunFolder and SweepFolder. The lock ends with the process, however that ends, and leaves
// no file.
#pragma once

#include <filesystem>

namespace sculpt::core {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Locks the folder. Throws Failure(Exit::cannot_create) if another run is using the folder. On
  // file systems without locks it does nothing.
  void lock(const std::filesystem::path& folder);
  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

// True if a run holds the lock of this folder. False on file systems without locks.
bool is_in_use(const std::filesystem::path& folder);

}  // namespace sculpt::core
