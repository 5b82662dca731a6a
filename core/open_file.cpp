#include "open_file.hpp"

#include <cerrno>
#include <system_error>

namespace sculpt::core {

std::string system_reason(int number) {
  if (number == 0) return "";
  std::string reason = ": " + std::generic_category().message(number);
  if (number == EMFILE) return reason + "; raise ulimit -n";
  return reason;
}

std::string system_reason() {
  return system_reason(errno);
}

std::ifstream open_file(const std::filesystem::path& path, Exit exit, const std::string& advice) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file) return file;
  throw Failure(exit, path.string() + ": cannot be opened" + system_reason() + advice);
}

std::ifstream open_if_there(const std::filesystem::path& path, Exit exit) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file || errno == ENOENT || errno == ENOTDIR) return file;
  throw Failure(exit, path.string() + ": cannot be opened" + system_reason());
}

}  // namespace sculpt::core
