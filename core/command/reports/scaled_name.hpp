// scaled_name.hpp - the name of a weight whose column was scaled, told apart into name and factor.
//
// Datasets with the parameter `scaling` write behind a feature's name what they do to its values:
// "income (/ 81000)", "age (- 40, / 12)" (sculpt/cpp/scaling.hpp). Names are the one thing of a
// dataset that comes with a weight through whatever features there are. Called by describe.
#pragma once

#include <optional>
#include <string>

namespace sculpt::core {

struct ScaledName {
  std::string name;               // without that
  std::optional<double> divisor;  // nullopt: the name tells of none, or of several
};
ScaledName scaled_name(const std::string& name);

}  // namespace sculpt::core
