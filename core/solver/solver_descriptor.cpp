#include "solver/solver_descriptor.hpp"

#include <algorithm>

namespace sculpt::core {

bool SolverDescriptor::takes(std::string_view parameter) const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const sculpt_parameter& one) { return one.name == parameter; });
}

}  // namespace sculpt::core
