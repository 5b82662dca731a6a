#include "base/file/plain_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void refuse_kind(const std::filesystem::path& path, mode_t mode,
                              const char* expected) {
  throw Failure(Exit::cannot_create, path.string() + ": is " + kind_of(mode) + ", not " + expected +
                                         "; remove it, or choose another folder with --output");
}

void require_plain(const std::filesystem::path& path, const struct stat& status,
                   FileChange change) {
  if (!S_ISREG(status.st_mode)) refuse_kind(path, status.st_mode, "a file");
  if (change == FileChange::by_rename || status.st_nlink <= 1) return;
  throw Failure(Exit::cannot_create,
                path.string() +
                    ": has another name (a hard link), and a change would change both; copy the "
                    "folder with cp -r, or choose another folder with --output");
}

// False if there is nothing at this path.
bool read_status(const std::filesystem::path& path, struct stat& status) {
  if (::lstat(path.c_str(), &status) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  throw system_failure(Exit::cannot_create, path.string() + ": cannot be used", errno);
}

}  // namespace

void require_plain_file(const std::filesystem::path& path, FileChange change) {
  struct stat status = {};
  if (read_status(path, status)) require_plain(path, status, change);
}

void require_plain_folder(const std::filesystem::path& path) {
  struct stat status = {};
  if (!read_status(path, status) || S_ISDIR(status.st_mode)) return;
  refuse_kind(path, status.st_mode, "a folder");
}

FileDescriptor open_plain_file(const std::filesystem::path& path, int flags) {
  constexpr mode_t permissions = 0666;  // without those of the umask
  FileDescriptor file(::open(path.c_str(), flags | no_link_flags, permissions));
  if (!file.is_open()) {
    const int error_number = errno;
    if (error_number == ENOENT && (flags & O_CREAT) == 0) return file;
    // Names what is there in place of the file, if it is not the file itself.
    require_plain_file(path, FileChange::in_place);
    throw system_failure(Exit::cannot_create, path.string() + ": cannot be opened", error_number);
  }
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) {
    throw system_failure(Exit::cannot_create, path.string() + ": cannot be used", errno);
  }
  require_plain(path, status, FileChange::in_place);
  return file;
}

bool is_plain_file(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1;
}

}  // namespace sculpt::core
