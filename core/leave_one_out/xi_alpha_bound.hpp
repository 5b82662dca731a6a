// xi_alpha_bound.hpp - the bound of Joachims on the leave-one-out error of a binary problem, which
// needs no retraining.
//
//   error <= 1/n |{ i : 2 alpha_i R^2 + xi_i >= 1 }|
//
// R^2 is the largest <d, d> of the difference d between the two outputs of an example. Source:
// Joachims, "Estimating the generalization performance of a SVM efficiently", ICML 2000, with
// rho = 2. For more than two outputs it does not hold: another output may win. Called by
// LeaveOneOut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sculpt::core {

class XiAlphaBound {
 public:
  // Adds a training example with two outputs. `alpha`: of its plane. `squared_length`: <d, d>.
  void add(double alpha, double slack, double squared_length) {
    terms_.push_back({alpha, slack});
    largest_ = std::max(largest_, squared_length);
  }

  // The bound of the error over all examples added. Requires one example.
  double error() const {
    std::int64_t count = 0;
    for (const auto& [alpha, slack] : terms_) {
      count += 2 * alpha * largest_ + slack >= 1 - rounding ? 1 : 0;
    }
    return static_cast<double>(count) / static_cast<double>(terms_.size());
  }

 private:
  struct Term {
    double alpha;
    double slack;
  };
  static constexpr double rounding = 1e-9;

  std::vector<Term> terms_;
  double largest_ = 0;  // R^2
};

}  // namespace sculpt::core
