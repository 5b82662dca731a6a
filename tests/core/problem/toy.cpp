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
  plan.counts = {{"errors", INT64_MAX}};
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
  const std::vector<sculpt_count>& known = toy_plan().counts;
  for (std::size_t k = 0; k < known.size(); ++k) counts[k] = std::min(counts[k], known[k].limit);
  if (known.size() == 1) counts[1] = 0;
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

ProblemSpec toy_choices(const sculpt_component& oracle, const std::string& split) {
  ProblemSpec choices;
  choices.dataset.description = &toy_dataset();
  choices.features.description = &toy_features();
  choices.loss.emplace();
  choices.loss->description = &toy_loss();
  choices.oracles.emplace_back();
  choices.oracles.back().description = &oracle;
  choices.sources = {{split, "/data/toy.txt", std::nullopt}};
  return choices;
}

}  // namespace sculpt::core
