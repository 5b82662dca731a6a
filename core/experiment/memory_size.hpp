// memory_size.hpp - the key "memory" of an experiment: "4GB", or a number of bytes.
//
// Called by Experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// The bytes of "500MB", "4 GB", "2GiB", "1.5e9"; units of 1000 (kB, MB, GB, TB) or 1024 (KiB, MiB,
// GiB, TiB). None: it is no such text, or below 1 or above 2^62 bytes.
std::optional<std::int64_t> bytes_in(std::string_view text);

// The value of the key, which must be set. Throws Failure(Exit::config) with its position.
std::int64_t read_memory(const JsonDocument& document);

}  // namespace sculpt::core
