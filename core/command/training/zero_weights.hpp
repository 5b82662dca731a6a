// zero_weights.hpp - whether a run has learned nothing: w = 0 is right for all examples.
//
// Called by Training.
#pragma once

#include <string>

#include "problem/problem.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Returns a warning with the usual cause, or "".
std::string zero_weights_warning(const Result& result, Problem& problem);

}  // namespace sculpt::core
