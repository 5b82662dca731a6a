// perceptron.hpp - the averaged structured perceptron.
//
// Called through solver_kinds(). Source: Collins, "Discriminative training methods for hidden
// Markov models", EMNLP 2002. For each example in turn
//
//   y = argmax_y <w, psi(x_i, y)> + loss_weight Delta(y_i, y)
//   w <- w + psi(x_i, y_i) - psi(x_i, y)             and max(0, .) where w_j >= 0 is demanded
//
// and what is saved is the mean of all w there have been. With loss_weight 0 and w_j free the
// mistakes are at most (R / gamma)^2 where some w of norm 1 keeps <w, dpsi> >= gamma and no
// ||dpsi|| exceeds R (Novikoff 1962), so on separable data a pass without a mistake comes, and ends
// the run. No objective is minimized: P is reported, and is large where C is.
#pragma once

#include "solver/options.hpp"
#include "solver/solver_with.hpp"

namespace sculpt::core {

class Perceptron : public SolverWith<PerceptronOptions> {
 public:
  using SolverWith::solve;
  using SolverWith::SolverWith;
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
};

}  // namespace sculpt::core
