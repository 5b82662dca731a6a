// n_slack.hpp - cutting planes with one slack for each example.
//
// Called through solver_kinds(). Source: Tsochantaridis, Joachims, Hofmann & Altun, "Large margin
// methods for structured and interdependent output variables", JMLR 6 (2005), Algorithm 1.
//
//   P(w)     = 1/2 ||w||^2 + C/n sum_i xi_i,     xi_i = max(0, H_i)
//   D(alpha) = sum alpha b - 1/2 ||sum alpha a||^2,  alpha >= 0, sum over the block of i <= C/n
//
// A pass asks the oracle about every example, adds what is violated to the example's block, and
// re-solves the QP over all blocks. Early passes do so in batches and move w in between; later ones
// ask at one frozen w, and so prove their gap.
#pragma once

#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class NSlack : public Solver {
 public:
  explicit NSlack(const NSlackOptions& options) : options_(options) {}
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop) override;

 private:
  NSlackOptions options_;
};

}  // namespace sculpt::core
