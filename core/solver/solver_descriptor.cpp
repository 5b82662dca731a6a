#include "solver/solver_descriptor.hpp"

#include <algorithm>

namespace sculpt::core {

bool SolverDescriptor::has_parameter(std::string_view parameter_name) const {
  return std::any_of(parameters.begin(), parameters.end(), [&](const sculpt_parameter& parameter) {
    return parameter.name == parameter_name;
  });
}

}  // namespace sculpt::core
