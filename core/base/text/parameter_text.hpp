// parameter_text.hpp - declared parameters in words, for messages: what is expected, what was
// found.
//
// Called by CheckedParameters and the listing of plugins.
#pragma once

#include <sculpt/parameter.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// "a whole number (seconds), at least 0", "one of "a", "b"", "a list of paths in quotes".
std::string expected_text(const sculpt_parameter& parameter);
// The same for one value of a list.
std::string expected_item_text(const sculpt_parameter& parameter);

// "the text "10abc"", "the number -1", "a list".
std::string found_text(const nlohmann::ordered_json& value);

// The choices "a|b|c" apart.
std::vector<std::string> choices_of(const sculpt_parameter& parameter);

}  // namespace sculpt::core
