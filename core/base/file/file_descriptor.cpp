#include "base/file/file_descriptor.hpp"

#include <unistd.h>

#include <cerrno>

namespace sculpt::core {

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(number_);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (is_open()) ::close(number_);
  number_ = other.release();
  return *this;
}

bool FileDescriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool FileDescriptor::sync() const {
  return ::fsync(number_) == 0;
}

bool FileDescriptor::close() {
  return ::close(release()) == 0;
}

}  // namespace sculpt::core
