// loss.hpp - the loss Delta(truth, guess) of a problem.
//
// Called by Problem, SeparationSolver, Predictor and check. MapQueries, MapOracle and CountLoss
// call its component.
#pragma once

#include <algorithm>

#include "linalg/rounding.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// The terms that loss_weight * Delta may be a sum of, for bounds of rounding errors: at most one
// per label. A loss such as 1 - F1 is a difference from 1, so its size is at least 1.
inline Terms terms_of_loss(double loss_weight, double loss, double labels) {
  return {loss_weight * std::max(1.0, loss), labels + 1};
}

class Loss {
 public:
  Loss(Component& component, int threads) : component_(component), sessions_(component, threads) {}

  // Returns Delta, finite and not negative. Throws Failure if the plugin returns another value.
  // [worker]
  double value(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess);

  const Component& component() const { return component_; }
  void* session(int worker) { return sessions_.for_worker(worker); }

 private:
  // value() without the repetition of --guard.
  double compute_value(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess);

  Component& component_;
  Sessions sessions_;
};

}  // namespace sculpt::core
