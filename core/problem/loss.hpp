// loss.hpp - Delta(truth, guess) of a problem.
//
// Called by Problem, ProblemSeparator and Predictor.
#pragma once

#include "problem/component.hpp"

namespace sculpt::core {

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
