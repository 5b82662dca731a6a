// loss.hpp - Delta(truth, guess) of a problem.
//
// Called by Problem, SeparationSolver, Predictor and check; MapQueries, MapOracle and CountLoss
// call its component.
#pragma once

#include <algorithm>

#include "linalg/rounding.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// The terms that loss_weight * Delta may be the sum of: a part for each label at most. Losses such
// as 1 - F1 are what is left of 1.
inline Terms terms_of_loss(double loss_weight, double loss, double labels) {
  return {loss_weight * std::max(1.0, loss), labels + 1};
}

class Loss {
 public:
  Loss(Component& component, int threads) : component_(component), sessions_(component, threads) {}

  // Finite and not negative, or a Failure. [worker]
  double of(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess);

  const Component& component() const { return component_; }
  void* session(int worker) { return sessions_.of(worker); }

 private:
  double ask(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess);

  Component& component_;
  Sessions sessions_;
};

}  // namespace sculpt::core
