// online_settings.hpp - perceptron and subgradient with many options, each with a small problem.
//
// For tests of the two solvers without a dual.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/solver/listed_problem.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

namespace sculpt::core::test {

struct OnlineSetting {
  std::string name;
  bool perceptron = false;
  Formulation formulation = {};
  std::int64_t batch = 1;
  bool bounds = false;
  double loss_weight = 0;
};

inline std::vector<OnlineSetting> online_settings() {
  const Formulation plain{Rescaling::margin, 1, 20};
  return {
      {"perceptron", true, plain},
      {"perceptron in batches, margins", true, plain, 4, false, 1},
      {"perceptron with bounds", true, plain, 1, true},
      {"subgradient", false, plain},
      {"subgradient in batches", false, plain, 4},
      {"subgradient with bounds", false, plain, 1, true},
      {"subgradient, slack rescaling", false, {Rescaling::slack, 1, 20}},
      {"subgradient, norm 2", false, {Rescaling::margin, 2, 5}, 3},
      {"subgradient, slack rescaling, norm 2", false, {Rescaling::slack, 2, 5}},
  };
}

// Some labels are noise, so every pass has mistakes.
inline ListedProblem problem_of(const OnlineSetting& setting) {
  ListedProblem problem = random_chain(12, 14, 3, 3, 4).under(setting.formulation);
  if (setting.bounds) problem.bounds.assign(static_cast<std::size_t>(problem.dimension()), 1);
  return problem;
}

inline std::unique_ptr<Solver> solver_of(const OnlineSetting& setting, const StopOptions& stop,
                                         std::int64_t evaluate_every = 3) {
  const auto fill = [&](OnlineOptions& options) {
    options.formulation = setting.formulation;
    options.stop = stop;
    options.batch = setting.batch;
    options.evaluate_every = evaluate_every;
  };
  if (setting.perceptron) {
    PerceptronOptions options;
    fill(options);
    options.loss_weight = setting.loss_weight;
    return std::make_unique<Perceptron>(options);
  }
  SubgradientOptions options;
  fill(options);
  return std::make_unique<Subgradient>(options);
}

inline StopOptions passes(std::int64_t max_passes) {
  StopOptions stop;
  stop.max_passes = max_passes;
  return stop;
}

}  // namespace sculpt::core::test
