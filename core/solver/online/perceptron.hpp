// perceptron.hpp - the averaged structured perceptron.
//
// Found through its descriptor. Source: Collins, "Discriminative training methods for hidden
// Markov models", EMNLP 2002. For each example in turn
//
//   y = argmax_y <w, psi(x_i, y)> + loss_weight Delta(y_i, y)
//   w <- w + c_i (psi(x_i, y_i) - psi(x_i, y))       and max(0, .) where w_j >= 0 is demanded
//
// with the weight c_i of the example, mostly 1. The result is the mean of all w so far. Let c_i be
// 1, loss_weight 0 and w_j free. If some w of norm 1 keeps <w, dpsi> >= gamma, and no ||dpsi||
// exceeds R, there are at most (R / gamma)^2 mistakes (Novikoff 1962). So on separable data some
// pass makes no mistake, and ends the run. No objective is minimized: P is only reported, and is
// large if C is.
#pragma once

#include <sculpt/parameter.h>

#include <span>

#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct PerceptronOptions : OnlineOptions {
  PerceptronOptions() { stop.max_passes = 30; }
  double loss_weight = 0;  // of the argmax that is asked; 1 asks for margins
};

class Perceptron : public Solver {
 public:
  explicit Perceptron(const PerceptronOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  PerceptronOptions options_;
};

const SolverDescriptor& perceptron_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
// Throws Failure(Exit::config) for a hard margin.
PerceptronOptions perceptron_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
