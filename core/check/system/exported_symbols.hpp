// exported_symbols.hpp - lists the names that a shared library exports. Used by library_tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sculpt::core {

// Returns the sorted names. Requires a file that was loaded as a library. Throws
// Failure(Exit::plugin) if its tables cannot be read.
std::vector<std::string> exported_symbols(const std::filesystem::path& library);

}  // namespace sculpt::core
