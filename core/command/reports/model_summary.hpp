// model_summary.hpp - prints the content of a model, as text or as JSON.
//
// Called by describe. The header can be printed without plugins. Only the names of the weights need
// them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sculpt::core {

// Prints the objective, the certificate, the components and the `max_count` weights of largest
// magnitude, with their names. With a kernel: its support examples of largest mass. If a plugin is
// missing, weights have numbers in place of names, and a warning gives the reason. Throws Failure.
void print_model(const std::filesystem::path& path, std::int64_t max_count);

// Prints the header as one JSON object, with the list "weights": {"weight", "name", "value"} of all
// weights in their order, or of the `max_count` largest ones. With a kernel: "support" in its
// place. Names and warnings as above. Throws Failure.
void print_model_json(const std::filesystem::path& path, std::int64_t max_count);

}  // namespace sculpt::core
