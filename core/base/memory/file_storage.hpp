// file_storage.hpp - memory that lies in files: the system may write it to the disk, and read it
// again.
//
// Held by Services for runs with a limit of memory, and lent to plugins by the host service
// "storage" (sculpt/ext/draft/host_storage.h). The files have no names, so they end with the
// process, however that ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>

namespace sculpt::core {

class FileStorage {
 public:
  // `folder`: on a disk; on a file system in memory nothing is gained.
  explicit FileStorage(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~FileStorage();
  FileStorage(const FileStorage&) = delete;
  FileStorage& operator=(const FileStorage&) = delete;

  // Returns `size` >= 1 bytes of zeros, page-aligned. Throws Failure: Exit::write_failed if the
  // disk is full, Exit::cannot_create if there can be no file in the folder. [any]
  void* allocate(std::int64_t size);
  // False: the memory is not of this storage. [any]
  bool release(void* memory) noexcept;

  std::int64_t bytes() const;  // of all that is not released [any]
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<void*, std::size_t> sizes_;
};

// The folder for such files: $TMPDIR, else /var/tmp, which is on a disk.
std::filesystem::path storage_folder();

}  // namespace sculpt::core
