// parameter_text.hpp - texts about declared parameters, for messages: the expected and the found
// value.
//
// Called by experiment/ (CheckedParameters, Experiment) and by registry/listing.cpp. Experiment
// uses found_text() also for values that are not parameters.
#pragma once

#include <sculpt/parameter.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// The expected value: "a whole number (seconds) of at least 0", "one of "a", "b"", "a list [...],
// each item a path in double quotes".
std::string expected_text(const sculpt_parameter& parameter);
// The same for one item of a list.
std::string expected_item_text(const sculpt_parameter& parameter);

// The found value: "the text "10abc"", "the number -1", "a list".
std::string found_text(const nlohmann::ordered_json& value);

// Splits the choices "a|b|c".
std::vector<std::string> choices_of(const sculpt_parameter& parameter);

}  // namespace sculpt::core
