#include "run/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/failure.hpp"
#include "base/file/file_descriptor.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

void FolderLock::lock(const std::filesystem::path& folder, Use use) {
  file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0 && is_out_of_files(errno)) {
    throw system_failure(Exit::cannot_create, folder.string() + ": cannot be locked", errno);
  }
  const int operation = use == Use::alone    ? LOCK_EX | LOCK_NB
                        : use == Use::shared ? LOCK_SH | LOCK_NB
                                             : LOCK_EX;
  if (file_ < 0 || ::flock(file_, operation) == 0 || errno != EWOULDBLOCK) return;
  throw Failure(Exit::cannot_create, folder.string() +
                                         ": another run is using this folder; wait until it ends, "
                                         "or choose another folder with --output");
}

// A shared lock, so that two readers do not take each other for a run.
bool is_in_use(const std::filesystem::path& folder) {
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || ::flock(file.number(), LOCK_SH | LOCK_NB) == 0) return false;
  return errno == EWOULDBLOCK;
}

}  // namespace sculpt::core
