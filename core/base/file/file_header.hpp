// file_header.hpp - the JSON that models and checkpoints begin with, read from bytes that nobody
// trusts.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sculpt::core {

// An object whose "version" is `version`. Calls `damaged`, which throws, with what is wrong:
// "has a header that is no JSON". Of another version: throws Failure(Exit::data), naming `path`.
nlohmann::ordered_json parse_header(std::string_view text, int version, const std::string& path,
                                    const std::function<void(const std::string&)>& damaged);

}  // namespace sculpt::core
