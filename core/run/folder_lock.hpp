// folder_lock.hpp - one run at a time in a run folder.
//
// Held by RunFolder. It is gone with the process, however that ends, and leaves nothing behind.
#pragma once

#include <filesystem>

namespace sculpt::core {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Throws Failure(Exit::output) when another run is at work in the folder. File systems that know
  // no locks are taken at their word.
  void take(const std::filesystem::path& folder);
  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

}  // namespace sculpt::core
