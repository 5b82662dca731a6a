// n_slack.hpp - cutting planes with one slack for each example.
//
// Called through solver_kinds(). Source: Tsochantaridis, Joachims, Hofmann & Altun, "Large margin
// methods for structured and interdependent output variables", JMLR 6 (2005), Algorithm 1.
//
//   P(w)     = 1/2 ||w||^2 + C/n sum_i xi_i,     xi_i = max(0, H_i)
//   D(alpha) = sum alpha b - 1/2 ||sum alpha a||^2,  alpha >= 0, sum over the block of i <= C/n
//   gap      = P_high(w) - D(alpha) >= P(w) - min P,  w = sum alpha a
//
// A pass asks the oracle about every example, adds what is violated to the example's block S_i, and
// re-solves the QP over all blocks.
//
// In batches: w moves after every `batch` calls, by ascent in the blocks just asked alone, as
// Algorithm 1 with `batch` = 1 in the paper's variant that re-optimizes S_i; the block step is that
// of block-coordinate dual ascent (Lacoste-Julien, Jaggi, Schmidt & Pletscher, "Block-coordinate
// Frank-Wolfe optimization for structural SVMs", ICML 2013). Fast while w is far from the optimum;
// it proves nothing, since the answers belong to different w. At one frozen w: proves the gap.
// Passes are in batches until the gap they see is at most `frozen_below` of P, and frozen then.
#pragma once

#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class NSlack : public Solver {
 public:
  explicit NSlack(const NSlackOptions& options) : options_(options) {}
  const Formulation& formulation() const override { return options_.formulation; }
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop) override;

 private:
  NSlackOptions options_;
};

}  // namespace sculpt::core
