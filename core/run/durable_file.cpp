#include "run/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "failure.hpp"

namespace sculpt::core {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_and_sync(const char* path, std::span<const std::string_view> parts) {
  Descriptor file(::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) return false;
  for (const std::string_view part : parts) {
    if (!write_all(file.number(), part)) return false;
  }
  return ::fsync(file.number()) == 0 && file.close();
}

}  // namespace

void write_durably(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  const std::string temporary = path.string() + ".partial";
  const bool done =
      write_and_sync(temporary.c_str(), parts) && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!done) {
    const int problem = errno;
    ::unlink(temporary.c_str());
    throw Failure(Exit::write, path.string() + ": cannot be written: " + std::strerror(problem));
  }
  // The rename itself is durable once the folder is synced; a file system that cannot is no
  // failure.
  const Descriptor folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) ::fsync(folder.number());
}

}  // namespace sculpt::core
