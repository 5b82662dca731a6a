#include "base/file/replaced_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

// A name that no other process takes, beside the file.
std::string unfinished_name(const std::filesystem::path& path) {
  std::random_device random;
  return path.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(random()) +
         ".partial";
}

}  // namespace

ReplacedFile::ReplacedFile(std::filesystem::path path) : path_(std::move(path)) {
  constexpr int new_file = 0644;
  file_ =
      FileDescriptor(::open(path_.parent_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, new_file));
  if (file_.is_open()) return;
  unfinished_ = unfinished_name(path_);
  file_ = FileDescriptor(
      ::open(unfinished_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, new_file));
  if (!file_.is_open()) unfinished_.clear();
  throw_unless(file_.is_open());
}

ReplacedFile::~ReplacedFile() {
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void ReplacedFile::throw_unless(bool succeeded) const {
  if (succeeded) return;
  throw system_failure(Exit::write_failed, path_.string() + ": cannot be written", errno);
}

void ReplacedFile::write(std::string_view bytes) {
  throw_unless(file_.write(bytes));
}

void ReplacedFile::write_at(std::int64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.number(), bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    throw_unless(written > 0);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += written;
  }
}

void ReplacedFile::name_file() {
  const std::string own = "/proc/self/fd/" + std::to_string(file_.number());
  const std::string name = unfinished_name(path_);
  throw_unless(::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0);
  unfinished_ = name;
}

void ReplacedFile::put_in_place() {
  throw_unless(file_.sync());
  if (unfinished_.empty()) name_file();
  throw_unless(::rename(unfinished_.c_str(), path_.c_str()) == 0);
  unfinished_.clear();
  const int folder = ::open(path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // the new name may get lost in a crash; then the file is made anew
  ::fsync(folder);
  ::close(folder);
}

}  // namespace sculpt::core
