// The oracle made of a factor graph, a loss and a map_solver, against all outputs of the toy.

#include "problem/map_oracle/map_oracle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/separation.hpp"
#include "core/problem/toy_parts.hpp"

using namespace sculpt::core;
using namespace sculpt::core::toy;

namespace {

sculpt_query query_of(Problem& problem, std::int64_t example, const Vector& w, double loss_weight,
                      std::uint64_t stamp) {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.example = example;
  query.truth = problem.dataset().truth(example);
  query.weights = {w.data(), static_cast<std::int64_t>(w.size()), stamp};
  query.loss_weight = loss_weight;
  return query;
}

// <w, psi> + loss_weight * errors of all outputs but `left_out`, the largest first.
std::vector<std::pair<double, Labels>> ranked(const ToyExample& example, const Vector& w,
                                              double loss_weight, const Labels& left_out = {-1}) {
  std::vector<std::pair<double, Labels>> all;
  for (std::int64_t number = 0; number < labelling_count(example.truth.size()); ++number) {
    const Labels y = labelling(number, example.truth.size());
    if (y == left_out) continue;
    double value = 0;
    for (std::size_t t = 0; t < y.size(); ++t) value += y[t] != example.truth[t] ? loss_weight : 0;
    for_each_feature(example.observations, y.data(),
                     [&](std::int32_t index) { value += w[static_cast<std::size_t>(index)]; });
    all.emplace_back(value, y);
  }
  std::sort(all.rbegin(), all.rend());
  return all;
}

}  // namespace

// If an example has several queries, its scores are kept as long as the stamp of w is the same.
TEST_CASE("a map oracle has the best value at any loss_weight, in any order of queries") {
  toy_plan() = random_toy(20, 21);
  const ToyPlan plan = toy_plan();
  const std::vector<Vector> weights = {random_weights(1), random_weights(2)};
  for (const Formulation& formulation : {Formulation{}, slack_rescaling}) {
    Problem problem(toy_spec(toy_map_solver(), formulation), Purpose::training, 1, {});
    CHECK(problem.oracle().obstacle_to_loss().empty());
    Answer answer;
    std::mt19937_64 random(3);
    for (int k = 0; k < 400; ++k) {
      const std::size_t w_index = random() % 2;
      const auto i = static_cast<std::int64_t>(random() % 4);
      const double loss_weight = 0.5 * static_cast<double>(random() % 4);
      const sculpt_query query = query_of(problem, i, weights[w_index], loss_weight,
                                          100 + static_cast<std::uint64_t>(w_index));
      problem.oracle().argmax(0, query, answer);
      const ToyExample& example = plan.training[static_cast<std::size_t>(i)];
      const double best = ranked(example, weights[w_index], loss_weight).front().first;
      CHECK(answer.value() == doctest::Approx(best).epsilon(1e-12));
      CHECK(answer.upper_bound() == answer.value());
    }
  }
  toy_plan() = {};
}

TEST_CASE("next best outputs are ordered by value, down to a limit of value or number") {
  toy_plan() = random_toy(20, 22);
  const ToyPlan plan = toy_plan();
  const Vector w = random_weights(4);
  Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
  Answer answer;
  for (std::int64_t i = 0; i < 20; ++i) {
    const ToyExample& example = plan.training[static_cast<std::size_t>(i)];
    const std::size_t size = example.truth.size();
    problem.oracle().argmax(0, query_of(problem, i, w, 1, 7), answer);
    const Labels best(answer.labels().data, answer.labels().data + size);
    const auto expected = ranked(example, w, 1, best);
    // The limit is between two values that differ, because outputs may share their features.
    std::size_t above = expected.size() / 2;
    while (above > 0 && expected[above - 1].first - expected[above].first < 1e-9) --above;
    const double min_value =
        above == 0 ? answer.value() + 1 : 0.5 * (expected[above - 1].first + expected[above].first);
    for (const std::size_t max_count : {std::size_t{3}, std::size_t{1000}}) {
      std::vector<std::int32_t> outputs;
      problem.oracle().next_best_outputs(0, answer, min_value, static_cast<std::int64_t>(max_count),
                                         outputs);
      const std::size_t count = std::min(max_count, above);
      REQUIRE(outputs.size() == count * size);
      for (std::size_t k = 0; k < count; ++k) {
        const Labels y(outputs.data() + k * size, outputs.data() + (k + 1) * size);
        const auto found = std::find_if(expected.begin(), expected.end(),
                                        [&y](const auto& one) { return one.second == y; });
        REQUIRE(found != expected.end());
        CHECK(found->first == doctest::Approx(expected[k].first).epsilon(1e-12));
      }
    }
  }
  toy_plan() = {};
}

// 3^5 = 243 assignments are listed, 4^4 = 256 too, 3^6 = 729 are not.
TEST_CASE("next best outputs are known for graphs with up to 256 assignments") {
  const auto next_best_count = [](int states, std::size_t size) {
    toy_plan() = {};
    toy_plan().state_count = states;
    toy_plan().training = {{std::vector<std::int32_t>(size, 0), Labels(size, 0)}};
    const Vector w(static_cast<std::size_t>((4 + states) * states), 0.0);
    Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
    Answer answer;
    problem.oracle().argmax(0, query_of(problem, 0, w, 1, 7), answer);
    std::vector<std::int32_t> outputs;
    problem.oracle().next_best_outputs(0, answer, -1, 1000, outputs);
    return outputs.size() / size;
  };
  CHECK(next_best_count(3, 5) == 242);
  CHECK(next_best_count(4, 4) == 255);
  CHECK(next_best_count(3, 6) == 0);
  toy_plan() = {};
}

TEST_CASE(
    "the largest graph is tried before training, and a refusal for its size has the example") {
  toy_plan() = {};
  toy_plan().training = {{{0, 1}, {0, 1}}, {{0, 1, 2, 3}, {0, 1, 2, 0}}, {{2}, {1}}};
  std::int64_t last = -1;
  std::int64_t solved = 0;
  sculpt_status status = SCULPT_E_UNSUPPORTED;
  toy_plan().inject_error = [&](const std::string& function,
                                std::int64_t example) -> sculpt_status {
    if (function == "features.graph") last = example;
    if (function != "map_solver.solve") return SCULPT_OK;
    ++solved;
    return status;
  };
  const auto refusal = [&] {
    return refusal_of([&] {
      Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
      problem.oracle().require_largest_fits(3);
    });
  };
  const Refusal refused = refusal();
  CAPTURE(refused.text);
  CHECK(refused.exit == Exit::config);
  CHECK(refused.says("example 1"));
  CHECK(last == 1);
  CHECK(solved == 1);
  // Any other error is reported in training, with its cause.
  status = SCULPT_E_INTERNAL;
  CHECK(refusal().exit == Exit::reached);
  toy_plan() = {};
}

TEST_CASE("a predictor whose map_solver cannot solve a graph is also refused before training") {
  toy_plan() = random_toy(3, 1);
  toy_plan().inject_error = [](const std::string& function, std::int64_t) -> sculpt_status {
    return function == "map_solver.solve" ? SCULPT_E_UNSUPPORTED : SCULPT_OK;
  };
  ProblemSpec spec = toy_spec(toy_oracle());
  const auto refusal = [&spec] {
    return refusal_of([&] { Problem(spec, Purpose::training, 1, {}); });
  };
  CHECK(refusal().exit == Exit::reached);
  spec.prediction_oracles.emplace_back();
  spec.prediction_oracles.back().members = toy_spec(toy_map_solver()).oracles;
  CHECK(refusal().exit == Exit::config);
  toy_plan() = {};
}
