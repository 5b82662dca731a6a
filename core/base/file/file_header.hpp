// file_header.hpp - reads the JSON header of models and checkpoints, from untrusted bytes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sculpt::core {

// Returns a JSON object whose "version" is `version`. Calls `damaged`, which must throw, with the
// fault, e.g. "has a header that is no JSON". For another version it throws Failure(Exit::data),
// naming `path`.
nlohmann::ordered_json parse_header(std::string_view text, int version, const std::string& path,
                                    const std::function<void(const std::string&)>& damaged);

}  // namespace sculpt::core
