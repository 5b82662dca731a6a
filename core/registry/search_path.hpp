// search_path.hpp - the folders in which plugins are looked for.
//
// Called by Registry.
#pragma once

#include <filesystem>
#include <vector>

namespace sculpt::core {

// In order, each once: `first`, $SCULPT_PLUGIN_PATH (separated by colons), $XDG_DATA_HOME (else
// ~/.local/share) with sculpt/plugins behind, ../lib/sculpt/plugins from the running executable.
// Absolute; they need not exist.
std::vector<std::filesystem::path> plugin_search_path(
    const std::vector<std::filesystem::path>& first);

// The shared libraries of a folder by file name; none when it is not there.
std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder);

}  // namespace sculpt::core
