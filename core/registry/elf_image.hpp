// elf_image.hpp - would the dynamic linker survive this file?
//
// Called by Library before dlopen, which maps a file by what its headers say and dies of SIGBUS
// when it was cut short.
#pragma once

#include <filesystem>
#include <string>

namespace sculpt::core {

// "is truncated (...)", "is not a shared library (...)": what follows the file's name in a
// sentence, or "" when the headers agree with the file's length and with this machine.
std::string elf_fault(const std::filesystem::path& file);

}  // namespace sculpt::core
