// soda.hpp - SODA: the discriminant between the truths and all outputs.
//
// Found through its descriptor. It maximizes the ratio of the squared mean score difference of
// truths and other outputs to its second moment, over all examples and outputs:
//
//   max over w of <w, b>^2 / <w, A w>,    A = 1/n sum of c_i (C_i + b_i b_i')
//
// with the names of moment_objective.hpp. The solution of (A + lambda I) w = b maximizes it.
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008), section 3.
#pragma once

#include "solver/moments/moment_solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

class Soda : public MomentSolver {
 public:
  explicit Soda(const MomentOptions& options) : MomentSolver(options, true) {}
};

const SolverDescriptor& soda_descriptor();

}  // namespace sculpt::core
