// Planes of the next best outputs, which are known if all outputs of an example are listed.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/problem/separation.hpp"
#include "core/problem/toy_parts.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::toy;

namespace {

constexpr int states = 6;

// Chains of 0 to 4 variables with six states.
ToyPlan plan_of(std::uint64_t seed) {
  ToyPlan plan = random_toy(80, seed);
  plan.state_count = states;
  return plan;
}

Vector weights_of(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector w(static_cast<std::size_t>((4 + states) * states));
  for (double& weight : w) weight = normal(random);
  return w;
}

// Separates all examples, each with at most `next_best_count` planes of next best outputs.
std::vector<Separation> separated(const sculpt_component& oracle, int threads, const Vector& w,
                                  std::int64_t next_best_count,
                                  const Formulation& formulation = {}) {
  Problem problem(toy_spec(oracle, formulation), Purpose::training, threads, {});
  ProblemPlanes source(problem, 5);
  Pass pass(1);
  pass.next_best_count = next_best_count;
  std::vector<Separation> all;
  source.separate(w, first(source.example_count()), pass, all);
  return all;
}

// b - <w, a> of every wrong output of a chain, the largest first.
std::vector<double> violations(const ToyExample& example, const Vector& w) {
  const auto score = [&](const Labels& y) {
    double sum = 0;
    for_each_feature(example.observations, y.data(),
                     [&](std::int32_t index) { sum += w[static_cast<std::size_t>(index)]; });
    return sum;
  };
  std::vector<double> all;
  for (std::int64_t number = 0; number < labelling_count(example.truth.size()); ++number) {
    const Labels y = labelling(number, example.truth.size());
    double errors = 0;
    for (std::size_t t = 0; t < y.size(); ++t) errors += y[t] != example.truth[t] ? 1 : 0;
    if (errors > 0) all.push_back(errors + score(y) - score(example.truth));
  }
  std::sort(all.rbegin(), all.rend());
  return all;
}

}  // namespace

TEST_CASE(
    "threads: next best planes are those of the next best outputs that violate their margin") {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Vector w = weights_of(seed);
    const ToyPlan plan = plan_of(seed);
    toy_plan() = plan;
    for (const std::int64_t max_count : {0, 2, 9}) {
      const std::vector<Separation> all = separated(toy_map_solver(), 2, w, max_count);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<NextBestPlane>& planes = all[i].next_best;
        if (plan.training[i].truth.size() > 3) {  // more than 256 outputs, which are not listed
          CHECK(planes.empty());
          continue;
        }
        std::vector<double> expected = violations(plan.training[i], w);
        std::erase_if(expected, [](double low) { return low <= 0; });
        if (!expected.empty()) expected.erase(expected.begin());  // the answer itself
        if (static_cast<std::int64_t>(expected.size()) > max_count) {
          expected.resize(static_cast<std::size_t>(max_count));
        }
        REQUIRE(planes.size() == expected.size());
        std::set<std::uint64_t> outputs = {all[i].output_hash};
        for (std::size_t k = 0; k < planes.size(); ++k) {
          const NextBestPlane& one = planes[k];
          CHECK(one.low == doctest::Approx(expected[k]).epsilon(1e-12));
          CHECK(one.low == doctest::Approx(one.plane.b - dot(one.plane.a, w)).epsilon(1e-12));
          CHECK(outputs.insert(one.output_hash).second);
          ++checked;
        }
      }
    }
  }
  CHECK(checked > 100);
  toy_plan() = {};
}

TEST_CASE("next best planes come only from factor graphs, and only if one argmax is enough") {
  toy_plan() = plan_of(3);
  const Vector w = weights_of(3);
  for (const Separation& one : separated(toy_oracle(), 1, w, 5)) CHECK(one.next_best.empty());
  const Formulation slack_rescaling{Rescaling::slack, 1, 10};
  for (const Separation& one : separated(toy_map_solver(), 1, w, 5, slack_rescaling)) {
    CHECK(one.next_best.empty());
  }
  toy_plan() = {};
}
