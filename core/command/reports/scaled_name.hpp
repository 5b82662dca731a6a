// scaled_name.hpp - splits the name of a weight of a scaled column into name and factor.
//
// Datasets with the parameter `scaling` append the transformation to the name of a feature: "income
// (/ 81000)", "age (- 40, / 12)" (sculpt/cpp/scaling.hpp). For components that do not report the
// scale themselves (weight_units.hpp). Called by describe.
#pragma once

#include <string>

#include "problem/components/weight_units.hpp"

namespace sculpt::core {

// The divisor is nullopt if the name has none, or several.
WeightUnit scaled_name(const std::string& name);

}  // namespace sculpt::core
