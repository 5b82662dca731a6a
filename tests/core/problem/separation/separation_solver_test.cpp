// SeparationSolver: the most violated output, against all outputs of the toy.

#include "problem/separation/separation_solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/problem/brute_force.hpp"
#include "core/problem/separation.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::toy;

namespace {

// A problem of the current plan and its separation solver, called by one worker.
struct SeparationFixture {
  SeparationFixture(const sculpt_component& oracle, const Formulation& chosen)
      : formulation(chosen),
        problem(toy_spec(oracle, chosen), Purpose::training, 1, {}),
        solver(problem, problem.separation()) {}

  sculpt_query query(std::int64_t example, const Vector& w) {
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.example = example;
    query.truth = problem.dataset().truth(example);
    query.weights = {w.data(), static_cast<std::int64_t>(w.size()), 0};
    return query;
  }
  MostViolated find(std::int64_t example, const Vector& w) {
    return solver.find(0, query(example, w), w, infinity, [this] { ++polls; });
  }

  Formulation formulation;
  Problem problem;
  SeparationSolver solver;
  std::int64_t polls = 0;
};

double score_of(const ToyExample& example, const Labels& y, const Vector& w) {
  double sum = 0;
  for_each_feature(example.observations, y.data(),
                   [&](std::int32_t index) { sum += w[static_cast<std::size_t>(index)]; });
  return sum;
}

Labels labels_of(sculpt_labels labels) {
  return {labels.data, labels.data + labels.size};
}

}  // namespace

TEST_CASE("a frontier finds the output with the largest violation, with its score, loss and psi") {
  const ToyPlan count_plan = three_positions();
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    const Formulation formulation{rescaling, 2, 1};
    toy_plan() = random_toy(30, 5);
    toy_plan().offers_frontier = true;
    toy_plan().counts = count_plan.counts;
    toy_plan().loss_of_counts = count_plan.loss_of_counts;
    const ToyPlan plan = toy_plan();
    SeparationFixture fixture(toy_oracle(), formulation);
    const Vector w = random_weights(6);
    int violated = 0;
    for (std::int64_t i = 0; i < 30; ++i) {
      const ToyExample& example = plan.training[static_cast<std::size_t>(i)];
      const double most = largest_violation(all_planes(example, w, formulation));
      const MostViolated found = fixture.find(i, w);
      CHECK_FALSE(found.no_output);
      CHECK(found.high >= std::max(0.0, most) - 1e-12);
      CHECK(found.high <= std::max(0.0, most) + found.rounding + 1e-12);
      CHECK(found.rounding < 1e-6);
      CHECK(found.calls >= 1);
      REQUIRE((found.guess != nullptr) == (most > 0));
      if (found.guess == nullptr) continue;
      ++violated;
      const Labels y = labels_of(found.guess->answer.labels());
      CHECK(found.guess->score == doctest::Approx(score_of(example, y, w)));
      CHECK(found.guess->loss == toy_loss_of(toy_counts(example.truth, y)));
      const double score_difference = found.guess->score - score_of(example, example.truth, w);
      CHECK(formulation.violation(found.guess->loss, score_difference) ==
            doctest::Approx(most).epsilon(1e-9));
      CHECK(dot(*found.truth_psi, w) == doctest::Approx(score_of(example, example.truth, w)));
    }
    CHECK(violated > 10);
  }
  toy_plan() = {};
}

TEST_CASE("one argmax finds the best score plus weighted loss") {
  toy_plan() = random_toy(30, 7);
  const ToyPlan plan = toy_plan();
  const Vector w = random_weights(8);
  for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
    SeparationFixture fixture(*oracle, {});
    for (const double loss_weight : {0.0, 0.5, 1.0, 3.0}) {
      for (std::int64_t i = 0; i < 30; ++i) {
        const ToyExample& example = plan.training[static_cast<std::size_t>(i)];
        double best = -infinity;
        for (const ListedPlane& plane : all_planes(example, w, {})) {
          const double errors = toy_loss_of(toy_counts(example.truth, plane.output));
          best = std::max(best, score_of(example, plane.output, w) + loss_weight * errors);
        }
        const MostViolated found =
            fixture.solver.argmax(0, fixture.query(i, w), w, loss_weight, infinity, {});
        CHECK(found.high ==
              doctest::Approx(best - score_of(example, example.truth, w)).epsilon(1e-12));
        CHECK(found.calls == 1);
        if (found.guess == nullptr) continue;
        CHECK(labels_of(found.guess->answer.labels()) != example.truth);
        CHECK(found.guess->score + loss_weight * found.guess->loss ==
              doctest::Approx(best).epsilon(1e-12));
      }
    }
  }
  toy_plan() = {};
}

TEST_CASE(
    "next best outputs are neither the truth nor the best one, and have their own psi and loss") {
  toy_plan() = random_toy(30, 9);
  const ToyPlan plan = toy_plan();
  const Vector w = random_weights(10);
  SeparationFixture fixture(toy_map_solver(), {});
  int seen = 0;
  for (std::int64_t i = 0; i < 30; ++i) {
    const ToyExample& example = plan.training[static_cast<std::size_t>(i)];
    const MostViolated found = fixture.find(i, w);
    if (found.guess == nullptr) continue;
    const Labels best = labels_of(found.guess->answer.labels());
    for (const NextBestOutput& one :
         fixture.solver.next_best_outputs(0, fixture.query(i, w), found, w, 4)) {
      const Labels y = labels_of(one.labels);
      CHECK(y != example.truth);
      CHECK(y != best);
      CHECK(one.loss == toy_loss_of(toy_counts(example.truth, y)));
      CHECK(dot(one.psi, w) == doctest::Approx(score_of(example, y, w)));
      ++seen;
    }
  }
  CHECK(seen > 20);
  toy_plan() = {};
}

TEST_CASE("the search polls once for each call and counts its calls") {
  toy_plan() = random_toy(30, 11);
  SeparationFixture fixture(toy_oracle(), slack_rescaling);
  REQUIRE(fixture.problem.strategy() == SeparationStrategy::loss_weight_search);
  const Vector w = random_weights(12);
  std::int64_t calls = 0;
  for (std::int64_t i = 0; i < 30; ++i) calls += fixture.find(i, w).calls;
  CHECK(calls > 30);
  CHECK(fixture.polls == calls);
  toy_plan() = {};
}
