#include "base/memory/file_storage.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/failure.hpp"
#include "base/file/file_descriptor.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

constexpr const char* space_advice = "; set TMPDIR to a folder on a disk with more space";

// A file without a name.
FileDescriptor make_file(const std::filesystem::path& folder) {
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  // Not all file systems have files without names.
  std::string name = (folder / "sculpt-XXXXXX").string();
  FileDescriptor named(::mkostemp(name.data(), O_CLOEXEC));
  if (!named.is_open()) {
    throw system_failure(Exit::cannot_create, folder.string() + ": a file cannot be made in it",
                         errno, "; set TMPDIR to another folder");
  }
  ::unlink(name.c_str());
  return named;
}

}  // namespace

FileStorage::~FileStorage() {
  for (const auto& [memory, size] : sizes_) ::munmap(memory, size);
}

void* FileStorage::allocate(std::int64_t size) {
  const FileDescriptor file = make_file(folder_);
  // All of it now: a disk that is full later would end the process when the array is written.
  const int problem = ::posix_fallocate(file.number(), 0, size);
  if (problem != 0) {
    throw system_failure(Exit::write_failed,
                         folder_.string() + ": has no room for " + std::to_string(size) + " bytes",
                         problem, space_advice);
  }
  const auto bytes = static_cast<std::size_t>(size);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) {
    throw system_failure(Exit::memory,
                         "a file of " + std::to_string(size) + " bytes cannot be mapped", errno);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  sizes_.emplace(memory, bytes);
  return memory;
}

bool FileStorage::release(void* memory) noexcept {
  std::size_t size = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) return false;
    size = found->second;
    sizes_.erase(found);
  }
  ::munmap(memory, size);
  return true;
}

std::int64_t FileStorage::bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::int64_t sum = 0;
  for (const auto& [memory, size] : sizes_) sum += static_cast<std::int64_t>(size);
  return sum;
}

std::filesystem::path storage_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

}  // namespace sculpt::core
