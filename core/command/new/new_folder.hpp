// new_folder.hpp - a folder of files that appears whole or not at all.
//
// Called by command/new.cpp.
#pragma once

#include <filesystem>
#include <span>

#include "command/new/plugin_files.hpp"

namespace sculpt::core {

// Writes the files into a folder with a temporary name beside `path`, and then renames it. Whatever
// fails, it leaves nothing behind. Throws Failure. Exit::cannot_create: something has this path, or
// the folder cannot be made. Exit::write_failed: a file cannot be written.
void write_new_folder(const std::filesystem::path& path, std::span<const NewFile> files);

}  // namespace sculpt::core
