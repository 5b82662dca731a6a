// scaled_name.hpp - splits the name of a weight of a scaled column into name and factor.
//
// Datasets with the parameter `scaling` append the transformation to the name of a feature: "income
// (/ 81000)", "age (- 40, / 12)" (sculpt/cpp/scaling.hpp). The name is the only information of a
// dataset that reaches a weight through every kind of features. Called by describe.
#pragma once

#include <optional>
#include <string>

namespace sculpt::core {

struct ScaledName {
  std::string name;               // without the transformation
  std::optional<double> divisor;  // nullopt: the name has no divisor, or several
};
ScaledName scaled_name(const std::string& name);

}  // namespace sculpt::core
