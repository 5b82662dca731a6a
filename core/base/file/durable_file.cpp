#include "base/file/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/surroundings.hpp"

namespace sculpt::core {
namespace {

// A rename is durable once the folder is synced. A file system without this sync is no failure.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

// A link at the name of the partial file is removed. O_EXCL keeps a new one from being followed.
DurableFile::DurableFile(std::filesystem::path path)
    : path_(std::move(path)), partial_(path_.string() + ".partial") {
  ::unlink(partial_.c_str());  // left by a process that was killed
  file_ = FileDescriptor(
      ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  throw_unless(file_.is_open());
}

DurableFile::~DurableFile() {
  if (!is_in_place_) ::unlink(partial_.c_str());
}

void DurableFile::throw_unless(bool succeeded) const {
  if (succeeded) return;
  throw system_failure(Exit::write_failed, path_.string() + ": cannot be written", errno);
}

void DurableFile::write(std::string_view bytes) {
  throw_unless(file_.write(bytes));
}

void DurableFile::finish() {
  if (surroundings().wants_durable_files()) throw_unless(file_.sync());
  throw_unless(file_.close());
}

void DurableFile::put_in_place() {
  throw_unless(::rename(partial_.c_str(), path_.c_str()) == 0);
  is_in_place_ = true;
  if (surroundings().wants_durable_files()) sync_folder(path_.parent_path());
}

void write_durably(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  DurableFile file(path);
  for (const std::string_view part : parts) file.write(part);
  file.finish();
  file.put_in_place();
}

}  // namespace sculpt::core
