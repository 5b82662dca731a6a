#include "registry/search_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/file/open_file.hpp"

namespace sculpt::core {

namespace {

using Path = std::filesystem::path;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void add(std::vector<Path>& places, const Path& place) {
  std::error_code error;
  Path clean = std::filesystem::weakly_canonical(std::filesystem::absolute(place), error);
  if (error) clean = std::filesystem::absolute(place).lexically_normal();
  if (!clean.has_filename()) clean = clean.parent_path();  // a slash at the end
  if (std::find(places.begin(), places.end(), clean) == places.end()) places.push_back(clean);
}

void add_all(std::vector<Path>& places, const std::string& separated) {
  for (std::size_t begin = 0; begin <= separated.size();) {
    const std::size_t end = std::min(separated.find(':', begin), separated.size());
    if (end > begin) add(places, separated.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::vector<Path> plugin_search_path(const std::vector<Path>& first) {
  std::vector<Path> places;
  for (const Path& place : first) add(places, place);
  add_all(places, environment("SCULPT_PLUGIN_PATH"));

  // The XDG base directory specification says that relative values must be ignored.
  const std::string data_home = environment("XDG_DATA_HOME");
  const std::string home = environment("HOME");
  if (Path(data_home).is_absolute()) {
    add(places, Path(data_home) / "sculpt/plugins");
  } else if (!home.empty()) {
    add(places, Path(home) / ".local/share/sculpt/plugins");
  }

  std::error_code error;
  const Path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) add(places, executable.parent_path().parent_path() / "lib/sculpt/plugins");
  return places;
}

std::vector<Path> libraries_in(const Path& folder) {
  std::vector<Path> libraries;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".so") libraries.push_back(entry->path());
  }
  if (error == std::errc::too_many_files_open ||
      error == std::errc::too_many_files_open_in_system) {
    throw system_failure(Exit::plugin, folder.string() + ": cannot be looked into", error.value());
  }
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

}  // namespace sculpt::core
