// file_header.hpp - reads the JSON header of models and checkpoints, from untrusted bytes.
//
// Called by model/ and run/.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sculpt::core {

// Returns a JSON object whose "version" is `version`. The values that a run writes have their
// types, but they and what is in them may be missing. Calls `refuse`, which must throw, with the
// fault, e.g. "has a header without a version". For another version it throws Failure(Exit::data),
// naming `path`.
nlohmann::ordered_json parse_header(std::string_view text, int version, const std::string& path,
                                    const std::function<void(const std::string&)>& refuse);

}  // namespace sculpt::core
