// continued_run.hpp - continues a finished run to a smaller gap.
//
// The ball that contains the solution without an example is as wide as the root of the gap
// (left_out_ball.hpp). So a few more passes of the run spare much retraining. Called by loo.
#pragma once

#include "qp/working_set/working_set.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// The planes and alpha after `solver` has continued from the state. `solver`: that of the run, with
// a smaller target. If it ends before, the planes are those of its last checkpoint. Throws as
// Solver::solve(), and Cancelled if `stop` returns true.
WorkingSet continue_run(Solver& solver, PlaneSource& source, StateReader& state,
                        const StopRequest& stop);

}  // namespace sculpt::core
