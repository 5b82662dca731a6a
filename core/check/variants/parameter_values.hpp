// parameter_values.hpp - the values of a parameter that the experiment does not use.
//
//   INT       both ends of the range (the upper one only if it is small), 1 and 2
//   BOOL      the other value
//   CHOICE    every other choice
//   a list    the empty list, each of the values above alone; for choices all together
//
// The default is tried, too.
//
// Called by experiment_facts.
#pragma once

#include <sculpt/parameter.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// The largest upper end that is tried. Larger ones often take too long.
constexpr double max_tried_upper_end = 100;

// The largest size of a lower end that is tried. Others mean that there is no lower end.
constexpr double max_tried_lower_end = 1e6;

// Returns the values as JSON texts, in a fixed order, without `current`, the value in the
// experiment. Returns none for other types.
std::vector<std::string> other_values(const sculpt_parameter& parameter,
                                      const nlohmann::ordered_json& current);

// True if it has values between or beyond those: a type that is not tried, or a whole number with a
// large upper end.
bool has_untried_values(const sculpt_parameter& parameter);

}  // namespace sculpt::core
