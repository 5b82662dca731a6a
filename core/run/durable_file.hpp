// durable_file.hpp - files that are there whole or not at all.
//
// Used for models, configs and whatever else a reader may find after a crash.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace sculpt::core {

// Writes `parts` one after the other to a temporary file beside `path`, syncs it and renames it
// over `path`. Throws Failure(Exit::write), and then leaves neither a partial file nor the
// temporary one.
void write_durably(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace sculpt::core
