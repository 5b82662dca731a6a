#include "registry/search_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/file/open_file.hpp"
#include "base/host_place.hpp"

namespace sculpt::core {

namespace {

using Path = std::filesystem::path;

std::string environment_value(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Adds the folder as an absolute path, unless it is listed already.
void add_folder(std::vector<Path>& folders, const Path& folder) {
  std::error_code error;
  Path path = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  if (error) path = std::filesystem::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // a slash at the end
  if (std::find(folders.begin(), folders.end(), path) == folders.end()) folders.push_back(path);
}

void add_folders(std::vector<Path>& folders, const std::string& colon_separated) {
  for (std::size_t begin = 0; begin <= colon_separated.size();) {
    const std::size_t end = std::min(colon_separated.find(':', begin), colon_separated.size());
    if (end > begin) add_folder(folders, colon_separated.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::vector<Path> plugin_search_path(const std::vector<Path>& plugin_path) {
  std::vector<Path> folders;
  for (const Path& folder : plugin_path) add_folder(folders, folder);
  add_folders(folders, environment_value("SCULPT_PLUGIN_PATH"));

  // The XDG base directory specification says that relative values must be ignored.
  const std::string data_home = environment_value("XDG_DATA_HOME");
  const std::string home = environment_value("HOME");
  if (Path(data_home).is_absolute()) {
    add_folder(folders, Path(data_home) / "sculpt/plugins");
  } else if (!home.empty()) {
    add_folder(folders, Path(home) / ".local/share/sculpt/plugins");
  }

  const Path prefix = host_prefix();
  if (!prefix.empty()) add_folder(folders, prefix / "lib/sculpt/plugins");
  return folders;
}

std::vector<Path> libraries_in(const Path& folder) {
  std::vector<Path> libraries;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored);
    if (entry->path().extension() == ".so" && !is_folder) libraries.push_back(entry->path());
  }
  if (error == std::errc::too_many_files_open ||
      error == std::errc::too_many_files_open_in_system) {
    throw system_failure(Exit::plugin, folder.string() + ": cannot be listed", error.value());
  }
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

}  // namespace sculpt::core
