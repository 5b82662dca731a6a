// state_owner.hpp - the component that a saved state belongs to, for the tests of the group state.
#pragma once

#include <string>

#include "problem/problem.hpp"

namespace sculpt::core {

// Returns the name of the component. `kind`: of Problem::State. Several oracles have the name of
// the first one.
inline std::string state_owner(Problem& problem, const std::string& kind) {
  if (kind == "dataset") return problem.dataset().component().name();
  if (kind == "features") return problem.features().component().name();
  if (kind == "loss") return problem.loss()->component().name();
  const std::vector<const Component*> kernels = problem.kernel_components();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kind == kernel_state_name(k)) return kernels[k]->name();
  }
  return problem.oracle().component().name();
}

}  // namespace sculpt::core
