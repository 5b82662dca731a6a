// Planes of the next best outputs, where a question shows the values of all.

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

std::vector<Separation> ask(const sculpt_component& oracle, int threads, const Vector& w,
                            std::int64_t further, const Formulation& formulation = {}) {
  Problem problem(toy_choices(oracle, formulation), Purpose::training, threads, {});
  ProblemPlanes source(problem, 5);
  Pass pass(1);
  pass.next_best_count = further;
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

TEST_CASE("threads: further planes are those of the next best outputs that violate their margin") {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Vector w = weights_of(seed);
    const ToyPlan plan = plan_of(seed);
    toy_plan() = plan;
    for (const std::int64_t most : {0, 2, 9}) {
      const std::vector<Separation> all = ask(toy_map_solver(), 2, w, most);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<NextBestPlane>& further = all[i].further;
        if (plan.training[i].truth.size() > 3) {  // more than 256 outputs
          CHECK(further.empty());
          continue;
        }
        std::vector<double> expected = violations(plan.training[i], w);
        std::erase_if(expected, [](double low) { return low <= 0; });
        if (!expected.empty()) expected.erase(expected.begin());  // that is the answer itself
        if (static_cast<std::int64_t>(expected.size()) > most) {
          expected.resize(static_cast<std::size_t>(most));
        }
        REQUIRE(further.size() == expected.size());
        std::set<std::uint64_t> outputs = {all[i].output};
        for (std::size_t k = 0; k < further.size(); ++k) {
          const NextBestPlane& one = further[k];
          CHECK(one.low == doctest::Approx(expected[k]).epsilon(1e-12));
          CHECK(one.low == doctest::Approx(one.plane.b - dot(one.plane.a, w)).epsilon(1e-12));
          CHECK(outputs.insert(one.output).second);
          ++checked;
        }
      }
    }
  }
  CHECK(checked > 100);
  toy_plan() = {};
}

TEST_CASE("further planes come from factor graphs alone, and where one argmax answers") {
  toy_plan() = plan_of(3);
  const Vector w = weights_of(3);
  for (const Separation& one : ask(toy_oracle(), 1, w, 5)) CHECK(one.further.empty());
  const Formulation slack_rescaling{Rescaling::slack, 1, 10};
  for (const Separation& one : ask(toy_map_solver(), 1, w, 5, slack_rescaling)) {
    CHECK(one.further.empty());
  }
  toy_plan() = {};
}
