// frank_wolfe.hpp - block-coordinate Frank-Wolfe on the dual of n slacks.
//
// Called through solver_kinds(). P and D as in n_slack.hpp, norms 1 and 2. Sources:
//   Lacoste-Julien, Jaggi, Schmidt & Pletscher, "Block-coordinate Frank-Wolfe optimization for
//   structural SVMs", ICML 2013: Algorithm 4, the weighted mean
//   Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien, "Minding the gaps for block Frank-Wolfe
//   optimization of structured SVMs", ICML 2016: pairwise steps, sampling by gaps, cached planes
//
// A pass draws n examples. Each makes one step of its block: towards the plane of its largest
// violation (toward.hpp), or from the plane that gains most to that one (pairwise.hpp). Its gap
//
//   g_i = C/n xi_i - sum alpha (b - <w, a>)          under norm 1; the sum over i is P(w) - D
//
// is remembered. Examples are drawn in proportion to it, or each once in random order. A plane of
// earlier answers is taken in place of a call of the oracle if its gap is at least F g_i and nu/n
// of the last proved gap. `batch` examples are asked at one w; the steps follow in order, each
// exact at the w of then: planes of an older w are corners too, and no step lowers D.
//
// Every `gap_check` passes, when the sum of g_i says that the target is reached, and before a limit
// ends the run, all examples are asked at one w. That alone proves a gap, and renews g_i. With
// `averaging` it is the mean w (weighted_mean.hpp), unless w itself is thought to have reached the
// target. Where the gap that such a pass proves has not halved since the one before, steps of
// single blocks stall: alpha is optimized over all planes that are kept, as in n_slack, and the
// next pass is at one w again. Not with `averaging`, nor where the memory of planes is limited. A
// run that begins with the planes of another one (warm_start.hpp) asks its first pass so, too, at
// the best w of these planes. Without a target a run ends where steps raise D by rounding alone:
// the gap, of which the gain is the square, is some 1e-8 of P then.
#pragma once

#include "solver/options.hpp"
#include "solver/solver_with.hpp"

namespace sculpt::core {

class FrankWolfe : public SolverWith<FrankWolfeOptions> {
 public:
  // Requires what frank_wolfe_options() does.
  using SolverWith::solve;
  using SolverWith::SolverWith;
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  std::optional<WorkingSet> recall(Separator& separator, StateReader& state) override;
  bool solves_qp() const override { return false; }
};

}  // namespace sculpt::core
