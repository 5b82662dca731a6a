#include "base/host_place.hpp"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <system_error>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* running_program = "/proc/self/exe";

// The shared library with this code; "" if it is in the program.
std::string library_of_host() {
  static const char here = 0;
  Dl_info info = {};
  link_map* map = nullptr;
  const int found = dladdr1(&here, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  return found != 0 && map != nullptr && map->l_name != nullptr ? map->l_name : "";
}

}  // namespace

fs::path host_prefix() {
  const std::string library = library_of_host();
  std::error_code error;
  const fs::path file =
      library.empty() ? fs::read_symlink(running_program, error) : fs::canonical(library, error);
  return error ? fs::path() : file.parent_path().parent_path();
}

fs::path sculpt_program() {
  if (library_of_host().empty()) return running_program;
  fs::path program = host_prefix() / "bin" / "sculpt";
  std::error_code error;
  if (fs::equivalent(program, running_program, error)) return running_program;
  if (fs::exists(program, error)) return program;
  throw Failure(Exit::missing,
                program.string() +
                    ": there is no program sculpt beside libsculpt, which this needs "
                    "to start processes; install it there");
}

}  // namespace sculpt::core
