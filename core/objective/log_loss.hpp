// log_loss.hpp - computes P, its gradient and the proved gap of a log-loss at one w.
//
// The formulas are in log_loss_objective.hpp and regularizer.hpp. With the expectation E_i under
// p(y) ~ exp((<w, psi> + l Delta) / T):
//
//   v = C/n sum of c_i (psi(x_i, y_i) - E_i[psi]),   gradient of the smooth part of P = w - v
//
// Examples without an output have no log-loss and count in n only. Called by the solvers that
// minimize P, and by verify.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/log_loss_objective.hpp"
#include "objective/pass.hpp"
#include "objective/regularizer.hpp"

namespace sculpt::core {

// A w, and what was computed there.
struct LogLossPoint {
  Vector w;             // [dimension]
  Vector gradient;      // [dimension] of 1/2 ||w||^2 + C/n sum of c_i L_i
  double primal = 0;    // P(w)
  double gap = 0;       // P(w) - D at the distribution of w
  double rounding = 0;  // by how much rounding may change P
  std::int64_t no_output_count = 0;
  bool is_exact = true;  // false: log Z and E[psi] are approximations, so P and D are, too

  double dual() const { return primal - gap; }
};

class LogLoss {
 public:
  // The sources must outlive this.
  LogLoss(const LogLossTerms& terms, ExpectationSource& expectations, CountSource& truths);

  // Computes everything about point.w. Asks for the expectations of all examples, once. Throws what
  // the sources throw; `point` is then invalid but for w.
  void evaluate(const Pass& pass, LogLossPoint& point);

  const Regularizer& regularizer() const { return regularizer_; }

 private:
  void read_truths(std::span<const double> log_z);
  WeightView at_temperature(const Vector& w);

  LogLossTerms terms_;
  ExpectationSource& expectations_;
  CountSource& truths_;
  Regularizer regularizer_;
  MeanExpectation expected_;
  Vector scaled_w_;    // w / T; empty if T = 1
  Vector mean_truth_;  // 1/n sum of c_i psi(x_i, y_i), of examples with outputs; empty: not read
  std::int64_t no_output_count_ = 0;
};

}  // namespace sculpt::core
