// z_score.hpp - the Z-score: how far the truths score above the mean of all outputs.
//
// Found through its descriptor. It maximizes the mean score difference of truths and all outputs in
// units of the standard deviation of the scores:
//
//   max over w of <w, b> / sqrt(<w, A w>),    A = 1/n sum of c_i C_i
//
// with the names of moment_objective.hpp. The solution of (A + lambda I) w = b maximizes it.
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008), section 4, without constraints.
#pragma once

#include "solver/moments/moment_solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

class ZScore : public MomentSolver {
 public:
  explicit ZScore(const MomentOptions& options) : MomentSolver(options, false) {}
};

const SolverDescriptor& z_score_descriptor();

}  // namespace sculpt::core
