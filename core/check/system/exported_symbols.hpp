// exported_symbols.hpp - the names that a shared library gives to the dynamic linker.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sculpt::core {

// Sorted. Requires a file that was loaded as a library. Throws Failure(Exit::plugin) when its
// tables cannot be read.
std::vector<std::string> exported_symbols(const std::filesystem::path& library);

}  // namespace sculpt::core
