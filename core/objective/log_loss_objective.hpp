// log_loss_objective.hpp - the objective of conditional random fields and their relatives.
//
//   P(w) = f(w) + C/n sum of c_i L_i(w)
//   L_i  = T log sum over y of exp((<w, psi(x_i, y)> + l Delta(y_i, y)) / T) - <w, psi(x_i, y_i)>
//
// f is that of regularizer.hpp, c_i the weight of an example. T = 1, l = 0 is the log-loss
// (Lafferty, McCallum & Pereira, ICML 2001), T = 1, l = 1 the softmax-margin (Gimpel & Smith, NAACL
// 2010). As T falls to 0, L_i becomes the loss of the perceptron (l = 0) or the hinge (l = 1):
// 0 <= L_i(T) - L_i(0) <= T log |Y_i|.
//
// Made by Solver::objective() of crf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "objective/objective.hpp"

namespace sculpt::core {

struct LogLossTerms {
  double C = 1;            // price of the mean log-loss
  double l1 = 0;           // g: price of ||w||_1
  double loss_weight = 0;  // l
  double temperature = 1;  // T
};

class LogLossObjective : public Objective {
 public:
  LogLossObjective(const LogLossTerms& terms, const Domain& domain)
      : terms_(terms), domain_(domain) {}

  // {"kind": "log_loss", "C", "l1", "loss_weight", "temperature", "nonnegative"}, and "weighted":
  // true if examples have weights.
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  // What other programs call C.
  std::vector<std::string> remarks(std::int64_t n) const override;
  const LogLossTerms* log_loss() const override { return &terms_; }

 private:
  LogLossTerms terms_;
  Domain domain_;
};

const ObjectiveKind& log_loss_kind();

}  // namespace sculpt::core
