// search_path.hpp - the folders in which plugins are searched.
//
// Called by Registry.
#pragma once

#include <filesystem>
#include <vector>

namespace sculpt::core {

// In order, each once: `plugin_path`; $SCULPT_PLUGIN_PATH (separated by colons); sculpt/plugins in
// $XDG_DATA_HOME (else in ~/.local/share); lib/sculpt/plugins in the prefix of the host
// (base/host_place.hpp). Absolute paths; the folders need not exist.
std::vector<std::filesystem::path> plugin_search_path(
    const std::vector<std::filesystem::path>& plugin_path);

// The shared libraries of a folder, sorted by file name. Empty if the folder does not exist.
std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder);

}  // namespace sculpt::core
