// The current plan of the toy, and plans that several tests use.

#include "core/problem/toy.hpp"

#include <algorithm>
#include <random>

namespace sculpt::core {

ToyPlan& toy_plan() {
  static ToyPlan plan;
  return plan;
}

ToyPlan three_positions() {
  ToyPlan plan;
  plan.training = {{{0, 1, 2}, {0, 1, 2}}};
  plan.offers_frontier = true;
  plan.counts = {{"errors", INT64_MAX, 0, 0}};
  plan.loss_of_counts = [](const Counts& c) { return double(c[0]); };
  plan.loss_splits = false;
  return plan;
}

Counts toy_counts(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& guess) {
  Counts counts = {};
  for (std::size_t t = 0; t < truth.size(); ++t) {
    const bool wrong = truth[t] != guess[t];
    counts[0] += wrong ? 1 : 0;
    counts[1] += wrong && guess[t] == 2 ? 1 : 0;
  }
  const std::vector<sculpt_count>& declared = toy_plan().counts;
  for (std::size_t k = 0; k < declared.size(); ++k) {
    counts[k] = std::min(counts[k], declared[k].limit);
  }
  if (declared.size() == 1) counts[1] = 0;
  return counts;
}

double toy_loss_of(const Counts& counts) {
  const auto& loss = toy_plan().loss_of_counts;
  return loss ? loss(counts) : static_cast<double>(counts[0]);
}

ToyPlan random_toy(int count, std::uint64_t seed) {
  ToyPlan plan;
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    ToyExample example;
    const std::size_t size = random() % 5;
    for (std::size_t t = 0; t < size; ++t) {
      example.observations.push_back(static_cast<std::int32_t>(random() % 4));
      example.truth.push_back(static_cast<std::int32_t>(random() % 3));
    }
    plan.training.push_back(example);
  }
  return plan;
}

ProblemSpec toy_spec(const sculpt_component& oracle, const std::string& split) {
  ProblemSpec spec;
  spec.dataset.description = &toy_dataset();
  spec.features.description = &toy_features();
  spec.loss.emplace();
  spec.loss->description = &toy_loss();
  spec.oracles.emplace_back();
  spec.oracles.back().description = &oracle;
  spec.sources = {{split, "/data/toy.txt", std::nullopt}};
  return spec;
}

}  // namespace sculpt::core
