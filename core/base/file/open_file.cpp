#include "base/file/open_file.hpp"

#include <cerrno>
#include <system_error>

namespace sculpt::core {
namespace {

// The remedy as "; what to do", or "" if it depends on the call.
std::string remedy(int error_number) {
  switch (error_number) {
    case EMFILE:
      return "; raise ulimit -n";
    case ENFILE:
      return "; end other processes, or raise fs.file-max of the system";
    case ENOSPC:
    case EDQUOT:
      return "; free space on that disk, or choose another one";
    case EACCES:
    case EPERM:
      return "; change its permissions (chmod, chown), or choose another path";
    case EROFS:
      return "; choose a path that can be written to";
    case EISDIR:
      return "; give the path of a file";
    default:
      return "";
  }
}

}  // namespace

bool is_out_of_files(int error_number) {
  return error_number == EMFILE || error_number == ENFILE;
}

std::string system_reason(int error_number) {
  if (error_number == 0) return "";
  return ": " + std::generic_category().message(error_number) + remedy(error_number);
}

std::string system_reason() {
  return system_reason(errno);
}

Failure system_failure(Exit exit, const std::string& what, int error_number,
                       const std::string& advice) {
  if (error_number == ENOMEM) return {Exit::memory, what + system_reason(error_number)};
  if (is_out_of_files(error_number)) {
    return {Exit::memory, what + system_reason(error_number),
            "\n  to see the limits of a process: ulimit -a"};
  }
  return {exit, what + system_reason(error_number) + (remedy(error_number).empty() ? advice : "")};
}

void require_regular_file(const std::filesystem::path& path, Exit exit) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw Failure(exit, path.string() +
                          ": is not a regular file (a pipe, a device or a folder); copy its "
                          "content to a file and give that path");
}

std::ifstream open_file(const std::filesystem::path& path, Exit exit, const std::string& advice) {
  std::ifstream file = open_if_there(path, exit, advice);
  if (file.is_open()) return file;
  throw system_failure(exit, path.string() + ": cannot be opened", errno, advice);
}

std::ifstream open_if_there(const std::filesystem::path& path, Exit exit,
                            const std::string& advice) {
  require_regular_file(path, exit);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file || errno == ENOENT || errno == ENOTDIR) return file;
  throw system_failure(exit, path.string() + ": cannot be opened", errno, advice);
}

}  // namespace sculpt::core
