// model_summary.hpp - what a model holds, for people and for programs.
//
// Called by describe. The header needs no plugin; only the names of weights do.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sculpt::core {

// Objective, certificate, components, and the `most` weights of largest magnitude, by name. Where a
// plugin is missing they are named by number, and a warning says why. Throws Failure.
void print_model(const std::filesystem::path& path, std::int64_t most);

// The header as JSON. Throws Failure.
void print_model_header(const std::filesystem::path& path);

}  // namespace sculpt::core
