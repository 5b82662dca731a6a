// elf_image.hpp - checks that a file can be loaded by the dynamic linker.
//
// Called by Library before dlopen. dlopen maps a file as its headers say, so a truncated file ends
// the process with SIGBUS.
#pragma once

#include <filesystem>
#include <string>

namespace sculpt::core {

// The error as the rest of a sentence that begins with the file: "is truncated (...)", "is not a
// shared library (...)". "" if the headers agree with the length of the file and with this machine.
std::string elf_fault(const std::filesystem::path& file);

}  // namespace sculpt::core
