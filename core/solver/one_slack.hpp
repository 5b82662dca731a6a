// one_slack.hpp - cutting planes with one slack shared by all examples.
//
// Called through solver_kinds(). Source: Joachims, Finley & Yu, "Cutting-plane training of
// structural SVMs", Machine Learning 77 (2009), Algorithm 3.
//
//   P(w)     = 1/2 ||w||^2 + C xi,               xi = 1/n sum_i max(0, H_i)
//   D(alpha) = sum alpha b - 1/2 ||sum alpha a||^2,  alpha >= 0, sum alpha <= C
//   gap      = P_high(w) - D(alpha) >= P(w) - min P,  w = sum alpha a
//
// A pass asks the oracle about every example at one w and adds one plane, the mean of what it
// found: the QP has one variable a pass, and every pass proves its gap.
#pragma once

#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class OneSlack : public Solver {
 public:
  explicit OneSlack(const OneSlackOptions& options) : options_(options) {}
  const Formulation& formulation() const override { return options_.formulation; }
  Result solve(Separator& separator, Listener& listener, const StopRequest& stop) override;

 private:
  OneSlackOptions options_;
};

}  // namespace sculpt::core
