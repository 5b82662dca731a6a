// host_place.hpp - where the host itself is installed.
//
// The folders bin/ with the program, lib/ with libsculpt and lib/sculpt/plugins are in one prefix,
// in a build tree and when installed alike.
#pragma once

#include <filesystem>

namespace sculpt::core {

// The prefix of the file that this code was loaded from: libsculpt, or the running program. Empty
// if it is not known. [any]
std::filesystem::path host_prefix();

// The program: the running one, or that of the prefix if another program uses libsculpt. Throws
// Failure(Exit::missing) if there is none. [any]
std::filesystem::path sculpt_program();

}  // namespace sculpt::core
