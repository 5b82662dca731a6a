#include "base/file/byte_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "base/cancelled.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;
constexpr int poll_milliseconds = 100;

// The number of an open file. Does not wait for the writer of a pipe: read() waits.
class OpenDescriptor {
 public:
  explicit OpenDescriptor(const std::string& path)
      : is_standard_input_(path == "-"),
        number_(is_standard_input_ ? STDIN_FILENO
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (number_ >= 0) return;
    throw system_failure(Exit::missing, path + ": cannot be opened", errno, "; check the path");
  }
  OpenDescriptor(const OpenDescriptor&) = delete;
  OpenDescriptor& operator=(const OpenDescriptor&) = delete;
  ~OpenDescriptor() {
    if (!is_standard_input_) ::close(number_);
  }
  int number() const { return number_; }

 private:
  bool is_standard_input_;
  int number_;
};

class FileBytes : public ByteInput {
 public:
  FileBytes(const std::string& path, std::function<bool()> cancelled)
      : path_(path), cancelled_(std::move(cancelled)), file_(path), buffer_(block_size) {
    struct stat status = {};
    if (::fstat(file_.number(), &status) != 0) refuse(errno);
    if (S_ISDIR(status.st_mode)) {
      throw Failure(Exit::missing, path_ + ": is a folder; give the path of a file");
    }
    may_wait_ = !S_ISREG(status.st_mode);
  }

  std::string_view read() override {
    for (;;) {
      if (may_wait_) wait_for_bytes();
      throw_if_cancelled();
      const ssize_t size = ::read(file_.number(), buffer_.data(), buffer_.size());
      if (size >= 0) return {buffer_.data(), static_cast<std::size_t>(size)};
      if (errno != EINTR && errno != EAGAIN) refuse(errno);
    }
  }

  bool is_ready(int milliseconds) override {
    if (!may_wait_) return true;
    pollfd request = {file_.number(), POLLIN, 0};
    return ::poll(&request, 1, milliseconds) > 0;
  }

 private:
  // Waits in short steps: a request to stop need not interrupt a call of the system.
  void wait_for_bytes() const {
    for (;;) {
      throw_if_cancelled();
      pollfd request = {file_.number(), POLLIN, 0};
      const int ready = ::poll(&request, 1, poll_milliseconds);
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) refuse(errno);
    }
  }
  void throw_if_cancelled() const {
    if (cancelled_ && cancelled_()) throw Cancelled();
  }
  [[noreturn]] void refuse(int error_number) const {
    throw system_failure(Exit::missing, path_ + ": cannot be read", error_number);
  }

  std::string path_;
  std::function<bool()> cancelled_;
  OpenDescriptor file_;
  std::vector<char> buffer_;
  bool may_wait_ = false;  // a pipe or a device
};

class MemoryBytes : public ByteInput {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  std::string_view read() override {
    const std::string_view block = bytes_.substr(0, block_size);
    bytes_.remove_prefix(block.size());
    return block;
  }
  bool is_ready(int) override { return true; }

 private:
  std::string_view bytes_;
};

}  // namespace

std::unique_ptr<ByteInput> open_file_bytes(const std::string& path,
                                           std::function<bool()> cancelled) {
  return std::make_unique<FileBytes>(path, std::move(cancelled));
}

std::unique_ptr<ByteInput> open_memory_bytes(std::string_view bytes) {
  return std::make_unique<MemoryBytes>(bytes);
}

}  // namespace sculpt::core
