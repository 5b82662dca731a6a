// past_events.hpp - reads what earlier runs wrote to events.jsonl.
//
// Called by RunFolder and by the commands that load a run. A killed run can leave half a line,
// which is no JSON. last_event() then returns null, and truncate_events() removes that line and all
// after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace sculpt::core {

// The last line. null if there is none, or if it is no object.
nlohmann::ordered_json last_event(const std::filesystem::path& events);

// The number of the last pass in the file, 0 if there is none.
std::int64_t last_pass(const std::filesystem::path& events);

// Removes all events after pass number `pass`; for 0, all after "started". Validations are kept up
// to pass number `validated`, because the run goes on behind that one. Throws Failure:
// Exit::write_failed, or Exit::cannot_create for a link.
void truncate_events(const std::filesystem::path& events, std::int64_t pass,
                     std::int64_t validated);

}  // namespace sculpt::core
