// zero_weights.hpp - whether a run has learned nothing: w = 0 is right for all examples.
//
// Called by Training.
#pragma once

#include <string>

#include "solver/solver.hpp"

namespace sculpt::core {

// Returns a warning, or "". Most often all examples have the same label.
std::string zero_weights_warning(const Result& result);

}  // namespace sculpt::core
