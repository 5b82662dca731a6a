// parameter_values.hpp - the values of a parameter that the experiment does not use.
//
//   INT       both ends of the range (the upper one only if it is small), 1 and 2
//   BOOL      the other value
//   CHOICE    every other choice
//   a list    the empty list, each of the values above alone; for choices all together
//
// Called by experiment_plan.
#pragma once

#include <sculpt/parameter.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// The largest upper end that is tried. Larger ones often take too long.
constexpr double max_tried_upper_end = 100;

// Limits of an INT are doubles, exact up to this number (sculpt/parameter.h).
constexpr double max_exact_integer = 9007199254740992.0;  // 2^53

// Returns the values as JSON texts, in a fixed order, without `current`, the value in the
// experiment. Returns none for other types.
std::vector<std::string> other_values(const sculpt_parameter& parameter,
                                      const nlohmann::ordered_json& current);

}  // namespace sculpt::core
