#include "sweep/runs/cell_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "base/failure.hpp"
#include "base/file/plain_file.hpp"

namespace sculpt::core {

CellLock::CellLock(const std::filesystem::path& log)
    : file_(open_plain_file(log, O_RDWR | O_CREAT)) {
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw Failure(Exit::cannot_create,
                log.string() + ": another process trains this cell; wait until it ends");
}

bool is_trained_now(const std::filesystem::path& log) {
  const FileDescriptor file(::open(log.c_str(), O_RDONLY | no_link_flags));
  if (!file.is_open() || ::flock(file.number(), LOCK_SH | LOCK_NB) == 0) return false;
  return errno == EWOULDBLOCK;
}

}  // namespace sculpt::core
