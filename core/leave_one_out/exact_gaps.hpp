// exact_gaps.hpp - the gap of planes at their w, from one answer of the oracle about each example.
//
// w is computed anew, without the rounding of single precision that a kernel's rows have. So the
// gap holds for the exact w. Called by LeaveOneOut and Retraining.
#pragma once

#include <vector>

#include "leave_one_out/left_out_ball.hpp"
#include "objective/plane_source.hpp"
#include "problem/problem.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

struct ExactGaps {
  BlockGaps gaps;
  std::vector<double> slack;  // [n] upper bounds at w
};

// Throws Failure(Exit::config) if an answer is not exact. Cancelled if `stop` returns true.
ExactGaps exact_gaps(const Problem& problem, PlaneSource& source, WorkingSet& planes,
                     const StopRequest& stop);

}  // namespace sculpt::core
