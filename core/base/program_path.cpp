#include "base/program_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <system_error>

namespace sculpt::core {

namespace fs = std::filesystem;

fs::path folder_on_path(const std::string& program) {
  const char* const value = std::getenv("PATH");
  std::istringstream folders(value == nullptr ? "" : value);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.starts_with('/')) continue;
    const fs::path path = fs::path(folder) / program;
    std::error_code ignored;
    if (::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, ignored)) return folder;
  }
  return {};
}

}  // namespace sculpt::core
