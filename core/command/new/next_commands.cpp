#include "command/new/next_commands.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/program_path.hpp"
#include "base/text/shell_word.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

bool is_same_path(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

}  // namespace

std::vector<std::string> next_commands(const std::string& name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path prefix = program.parent_path().parent_path();
  // The commands change the folder, so relative entries of the PATH do not count.
  const fs::path found = folder_on_path("sculpt");
  const bool is_found = !found.empty() && is_same_path(found / "sculpt", program);
  const std::string sculpt = is_found ? "sculpt" : shell_word(program.string());
  // CMake looks beside the folders of the PATH by itself.
  std::string sdk;
  if (!is_same_path(found, program.parent_path())) {
    sdk = " -DCMAKE_PREFIX_PATH=" + shell_word(prefix.string());
  }
  return {"cd " + name,
          "sh generate.sh",
          "cmake -S . -B build" + sdk,
          "cmake --build build",
          "ctest --test-dir build",
          sculpt + " check build/" + name + ".so --strict",
          sculpt + " train " + name + ".json",
          "SCULPT_PLUGIN_PATH=build " + sculpt + " predict runs/" + name + " new.txt"};
}

}  // namespace sculpt::core
