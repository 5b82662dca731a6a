// Passes with a scale of w or a fixed loss_weight, and the solvers that use them.

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"
#include "linalg/products.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

using namespace sculpt::core;

namespace {

std::vector<Separation> separate_with_pass(const sculpt_component& oracle, const Vector& w,
                                           const Pass& pass, const Formulation& formulation = {}) {
  Problem problem(toy_spec(oracle, formulation), Purpose::training, 2, {});
  ProblemPlanes source(problem, 5);
  std::vector<Separation> all;
  source.separate(w, first(source.example_count()), pass, all);
  return all;
}

}  // namespace

TEST_CASE("threads: a pass at v with scale s has the planes of w = s v under every formulation") {
  toy_plan() = random_toy(60, 3);
  const Vector v = random_weights(4);
  const double scale = 0.3;
  Vector w = v;
  for (double& value : w) value *= scale;
  Pass pass(1);
  pass.scale = scale;
  for (const bool frontier : {false, true}) {
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
    for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
      for (const int norm : {1, 2}) {
        const Formulation formulation{rescaling, norm, 1};
        const auto expected = separate_all(toy_oracle(), 1, w, formulation);
        const auto found = separate_with_pass(toy_oracle(), v, pass, formulation);
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          CHECK(found[i].output_hash == expected[i].output_hash);
          CHECK(found[i].plane.b == expected[i].plane.b);
          CHECK(same_bytes(found[i].plane.a.value, expected[i].plane.a.value));
          CHECK(found[i].low == doctest::Approx(expected[i].low).epsilon(1e-9));
          CHECK(found[i].high == doctest::Approx(expected[i].high).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("threads: loss_weight 0 gives predictions and 1 gives margins under every formulation") {
  toy_plan() = random_toy(60, 3);
  const Vector w = random_weights(4);
  const Formulation slack{Rescaling::slack, 2, 1};
  Pass pass(1);
  pass.loss_weight = 0;
  int wrong = 0;
  for (const Separation& one : separate_with_pass(toy_oracle(), w, pass, slack)) {
    CHECK(one.plane.b == 0);
    CHECK(one.low == doctest::Approx(-dot(one.plane.a, w)));
    CHECK(one.low >= -1e-12);  // no output has a higher score, the truth included
    wrong += one.low > 0 ? 1 : 0;
  }
  CHECK(wrong > 20);
  pass.loss_weight = 1;
  CHECK(same(separate_with_pass(toy_oracle(), w, pass, slack), separate_all(toy_oracle(), 1, w)));
}

TEST_CASE("threads: runs without a dual have the same bytes for 1, 2 and 4 threads") {
  class SilentListener : public Listener {
  } listener;
  toy_plan() = random_toy(100, 6);
  const auto solve = [&](bool perceptron, int threads, std::int64_t batch) {
    Problem problem(toy_spec(toy_map_solver()), Purpose::training, threads, {});
    ProblemPlanes source(problem, 1);
    if (perceptron) {
      PerceptronOptions options;
      options.batch = batch;
      return Perceptron(options).solve(source, listener, {});
    }
    SubgradientOptions options;
    options.formulation.C = 10;
    options.batch = batch;
    return Subgradient(options).solve(source, listener, {});
  };
  for (const bool perceptron : {false, true}) {
    for (const std::int64_t batch : {1, 16, 0}) {
      const Result one = solve(perceptron, 1, batch);
      CHECK(squared_norm(one.w) > 0);
      for (const int threads : {2, 4}) {
        const Result more = solve(perceptron, threads, batch);
        CHECK(same_bytes(one.w, more.w));
        CHECK(one.primal == more.primal);
      }
    }
  }
}

TEST_CASE("threads: frank_wolfe has the same bytes for 1, 2 and 4 threads") {
  class SilentListener : public Listener {
  } listener;
  toy_plan() = random_toy(100, 6);
  for (const bool averaging : {false, true}) {
    const auto solve = [&](int threads) {
      Problem problem(toy_spec(toy_map_solver()), Purpose::training, threads, {});
      ProblemPlanes source(problem, 1);
      FrankWolfeOptions options;
      options.formulation.C = 10;
      options.batch = 16;
      options.averaging = averaging;
      return FrankWolfe(options).solve(source, listener, {});
    };
    const Result one = solve(1);
    CHECK(one.reached);
    for (const int threads : {2, 4}) {
      const Result more = solve(threads);
      CHECK(same_bytes(one.w, more.w));
      CHECK(one.dual == more.dual);
    }
  }
}
