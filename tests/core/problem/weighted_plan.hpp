// weighted_plan.hpp - toy problems with weights of examples, and their objective by its definition.
//
// Called by the tests of weights. Uses the planes of brute_force.hpp, without the weights, and
// multiplies the cost of each slack.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/problem/brute_force.hpp"
#include "core/problem/separation.hpp"
#include "linalg/products.hpp"

namespace sculpt::core {

// Random chains with a frontier over the errors, and these weights.
inline ToyPlan weighted_toy(const std::vector<double>& weights, std::uint64_t seed) {
  ToyPlan plan = random_toy(static_cast<int>(weights.size()), seed);
  plan.offers_frontier = true;
  plan.counts = {{"errors", INT64_MAX, 0, 0}};
  plan.weights = weights;
  return plan;
}

// Random numbers whose logarithms are uniform.
inline std::vector<double> random_example_weights(std::size_t count, double smallest,
                                                  double largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(std::log(smallest), std::log(largest));
  std::vector<double> weights(count);
  for (double& weight : weights) weight = std::exp(uniform(random));
  return weights;
}

// The problem of a plan with each example as often as its weight says, which is a whole number.
inline ToyPlan repeated(const ToyPlan& plan) {
  ToyPlan made = plan;
  made.weights.clear();
  made.training.clear();
  for (std::size_t i = 0; i < plan.training.size(); ++i) {
    for (double copies = plan.weights[i]; copies > 0; --copies) {
      made.training.push_back(plan.training[i]);
    }
  }
  return made;
}

// The slacks xi_i of the current plan at w, without weights.
inline std::vector<double> slacks_at(const Vector& w, const Formulation& formulation) {
  std::vector<double> slacks;
  for (const ToyExample& example : toy_plan().training) {
    slacks.push_back(std::max(0.0, largest_violation(all_planes(example, w, formulation))));
  }
  return slacks;
}

// P(w) of the current plan by its definition. C is finite.
inline double weighted_primal(const Vector& w, const Formulation& formulation) {
  const std::vector<double> slacks = slacks_at(w, formulation);
  double cost = 0;
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    cost += toy_plan().weights[i] *
            (formulation.slack_norm == 2 ? 0.5 * slacks[i] * slacks[i] : slacks[i]);
  }
  return 0.5 * squared_norm(w) + formulation.C * cost / static_cast<double>(slacks.size());
}

}  // namespace sculpt::core
