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
  return problem.oracle().component().name();
}

}  // namespace sculpt::core
