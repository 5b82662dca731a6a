// generative.hpp - weights by counting: the model that would have generated the truths.
//
// Called through solver_kinds(). For features that say which of their weights are the events of one
// multinomial (sculpt/ext/draft/groups.h), the maximum likelihood estimate
//
//   w_j = log p(j | group of j),     p = relative frequencies over all truths, smoothed
//
// which makes a hidden Markov model of a chain and a probabilistic grammar of a grammar. The
// baseline of Tsochantaridis et al., ICML 2004, sections 4.3 and 4.4. No objective is minimized: P
// is reported.
#pragma once

#include "solver/options.hpp"
#include "solver/solver_with.hpp"

namespace sculpt::core {

class Generative : public SolverWith<GenerativeOptions> {
 public:
  using SolverWith::solve;
  using SolverWith::SolverWith;
  bool solves_qp() const override { return false; }
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
};

}  // namespace sculpt::core
