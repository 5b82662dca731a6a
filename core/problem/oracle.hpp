// oracle.hpp - argmax over y of <w, psi(x_i, y)> + loss_weight * Delta(y_i, y).
//
// Called by ProblemSeparator and Predictor. Two ways to have one: a component of kind oracle, or a
// map_solver behind the adapter MapOracle (map_oracle.hpp).
#pragma once

#include <string>

#include "problem/buffers.hpp"
#include "problem/component.hpp"

namespace sculpt::core {

class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual const Component& component() const = 0;

  // `answer` is cleared first; what comes back has passed the checks of every query: a sound
  // buffer, no label -1, and value, and bound where promised, finite. [worker]
  void argmax(int worker, const sculpt_query& query, Answer& answer);

 private:
  virtual void ask(int worker, const sculpt_query& query, Answer& answer) = 0;
};

class ComponentOracle : public Oracle {
 public:
  ComponentOracle(Component& component, int threads)
      : component_(component), sessions_(component, threads) {}
  const Component& component() const override { return component_; }

 private:
  void ask(int worker, const sculpt_query& query, Answer& answer) override;

  Component& component_;
  Sessions sessions_;
};

}  // namespace sculpt::core
