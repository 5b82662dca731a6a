// past_events.hpp - what earlier runs have written to events.jsonl.
//
// Called by RunFolder. A line that is no JSON, such as the half of one that a killed run leaves,
// ends what counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace sculpt::core {

// The last line; null when there is none, or when it is no object.
nlohmann::ordered_json last_event(const std::filesystem::path& events);

// Cuts off everything behind pass number `pass`; 0: behind "started". Throws Failure(Exit::write).
void truncate_events(const std::filesystem::path& events, std::int64_t pass);

}  // namespace sculpt::core
