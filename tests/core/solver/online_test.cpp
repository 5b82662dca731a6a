// perceptron and subgradient take the steps of their papers and return a w with its P.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/memory_state.hpp"
#include "core/solver/online_settings.hpp"
#include "core/solver/outcome.hpp"
#include "linalg/products.hpp"
#include "solver/example_order.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/online/running_sum.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

Outcome run_on_problem(const OnlineSetting& setting, ListedProblem& problem,
                       const StopOptions& stop, std::int64_t evaluate_every = 3) {
  KeptCheckpoints checkpoints;
  return run(*solver_of(setting, stop, evaluate_every), problem, checkpoints);
}

// By n_slack.
double optimum(ListedProblem& problem, const Formulation& formulation) {
  NSlackOptions options;
  options.formulation = formulation;
  options.stop.relative_gap = 1e-7;
  Recorder recorder;
  return NSlack(options).solve(problem, recorder, {}).primal;
}

// Some w separates all examples. The truth is the last output, so the oracle finds another one at
// w = 0.
ListedProblem separable() {
  ListedProblem problem(2);
  problem.examples = {{Plane{{{0, 1}, {1.0, -0.2}}, 1}, Plane{}},
                      {Plane{{{0, 1}, {-0.3, 1.0}}, 1}, Plane{{{0}, {0.5}}, 2}, Plane{}},
                      {Plane{{{0, 1}, {0.1, 0.1}}, 1}, Plane{}}};
  return problem;
}

// The mean w by the formulas of the papers, with dense vectors, over the examples in the order of
// the solver.
Vector weights_by_formula(const ListedProblem& problem, const OnlineSetting& setting, int passes) {
  const auto d = static_cast<std::size_t>(problem.dimension());
  const double C = setting.formulation.C;
  Vector w(d, 0.0), mean(d, 0.0);
  double t = 0;
  std::vector<std::int64_t> order;
  for (int pass = 1; pass <= passes; ++pass) {
    order_examples(ExampleOrder::shuffled, problem.example_count(), problem.seed(),
                   static_cast<std::uint64_t>(pass), order);
    for (const std::int64_t i : order) {
      const Plane* worst = nullptr;
      double largest = -1e300;
      for (const Plane& plane : problem.examples[static_cast<std::size_t>(i)]) {
        const double b = setting.perceptron ? setting.loss_weight * plane.b : plane.b;
        const double low = b - dot(plane.a, w);
        if (low > largest) {
          largest = low;
          worst = &plane;
        }
      }
      ++t;
      if (setting.perceptron) {
        axpy(1, worst->a, w);
      } else {
        for (double& value : w) value *= 1 - 1 / t;
        const double curvature = C / t * squared_norm(worst->a);
        const double slope = setting.formulation.slack_norm == 2 ? largest / (1 + curvature) : 1;
        if (largest > 0) axpy(C / t * slope, worst->a, w);
      }
      for (std::size_t j = 0; j < problem.bounds.size(); ++j) {
        if (problem.bounds[j] != 0) w[j] = std::max(0.0, w[j]);
      }
      for (std::size_t j = 0; j < d; ++j) mean[j] += setting.perceptron ? w[j] : t * w[j];
    }
  }
  for (double& value : mean) value *= setting.perceptron ? 1 / (t + 1) : 2 / (t * (t + 1));
  return mean;
}

}  // namespace

TEST_CASE("a running sum returns the mean of all its values so far") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const bool bounded : {false, true}) {
    const std::vector<std::uint8_t> bounds = {1, 0, 1, 0, 1};
    RunningSum sum(
        5, bounded ? std::span<const std::uint8_t>(bounds) : std::span<const std::uint8_t>());
    Vector z(5, 0.0), total(5, 0.0), mean;
    for (int t = 1; t <= 200; ++t) {
      const SparseVector g{{t % 3, 3 + t % 2}, {normal(random), normal(random)}};
      if (t % 4 == 0) {
        sum.add_zero();
      } else {
        sum.add(0.5, g);
        axpy(0.5, g, z);
      }
      for (std::size_t j = 0; j < z.size(); ++j) {
        if (bounded && bounds[j] != 0) z[j] = std::max(0.0, z[j]);
        total[j] += z[j];
      }
    }
    CHECK(sum.steps() == 200);
    sum.mean(3, mean);
    for (std::size_t j = 0; j < z.size(); ++j) {
      CHECK(sum.last()[j] == doctest::Approx(z[j]).epsilon(1e-12));
      CHECK(mean[j] == doctest::Approx(3 * total[j] / 201).epsilon(1e-11));
    }
  }
}

TEST_CASE("a running sum loads its state, and refuses negative weights under a bound") {
  const std::vector<std::uint8_t> bounds = {1, 0};
  const auto loaded = [&bounds](double first, double second) {
    RunningSum free(2, {});
    free.add(1, SparseVector{{0, 1}, {first, second}});
    RunningSum bounded(2, bounds);
    MemoryReader in(saved(free));
    bounded.load(in);
    CHECK(in.bytes_left() == 0);
    return bounded.last();
  };
  CHECK(loaded(3, -2) == Vector{3, -2});
  CHECK(loaded(0, 2) == Vector{0, 2});
  CHECK_THROWS_AS(loaded(-1, 2), Failure);
}

TEST_CASE("the order of the examples depends on the seed and the pass only") {
  std::vector<std::int64_t> a, b;
  order_examples(ExampleOrder::shuffled, 100, 7, 3, a);
  order_examples(ExampleOrder::shuffled, 100, 7, 3, b);
  CHECK(a == b);
  CHECK(std::set<std::int64_t>(a.begin(), a.end()).size() == 100);
  order_examples(ExampleOrder::shuffled, 100, 7, 4, b);
  CHECK(a != b);
  order_examples(ExampleOrder::shuffled, 100, 8, 3, b);
  CHECK(a != b);
  order_examples(ExampleOrder::sequential, 3, 7, 3, b);
  CHECK(b == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("perceptron and subgradient take the steps of their papers") {
  for (const OnlineSetting& setting : online_settings()) {
    if (setting.batch != 1) continue;
    CAPTURE(setting.name);
    ListedProblem problem = random_multiclass(8, 14, 3, 4).under(setting.formulation);  // no ties
    if (setting.bounds) problem.bounds.assign(static_cast<std::size_t>(problem.dimension()), 1);
    const Outcome outcome = run_on_problem(setting, problem, passes(7), 0);
    const Vector expected = weights_by_formula(problem, setting, 7);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      CHECK(outcome.result.w[j] == doctest::Approx(expected[j]).epsilon(1e-9));
    }
  }
}

TEST_CASE("the P of a run without a dual is that of its w, and the run claims no gap") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    const Outcome outcome = run_on_problem(setting, problem, passes(8));
    const Result& result = outcome.result;
    CHECK(result.primal ==
          doctest::Approx(problem.primal(result.w, setting.formulation)).epsilon(1e-12));
    CHECK(result.primal_high == result.primal);
    CHECK(std::isnan(result.dual));
    CHECK(std::isinf(result.gap));
    CHECK(std::isinf(result.relative_gap));
    CHECK_FALSE(result.certified);
    CHECK_FALSE(result.reached);
    CHECK(result.uncertified_reason == UncertifiedReason::none);
    CHECK(result.stopped_by == StoppedBy::max_passes);
    CHECK(result.passes == 8);
    CHECK(result.oracle_calls == (8 + 3) * problem.example_count());  // evaluated in 3, 6 and 8
    REQUIRE(outcome.reports.size() == 8);
    CHECK(std::isinf(outcome.reports[1].best_primal));
    CHECK(std::isfinite(outcome.reports[2].best_primal));
    for (const PassReport& report : outcome.reports) {
      CHECK(std::isnan(report.dual));
      CHECK_FALSE(report.certified);
      CHECK(report.mistakes.has_value() == setting.perceptron);
      CHECK(report.violated.has_value() != setting.perceptron);
      const std::int64_t moved = report.mistakes.value_or(report.violated.value_or(0));
      CHECK(moved > 0);
      CHECK(moved <= problem.example_count());
    }
  }
}

TEST_CASE("subgradient reaches a P within 2 % of the optimum, and never below it") {
  for (const OnlineSetting& setting : online_settings()) {
    if (setting.perceptron) continue;
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    const double best = optimum(problem, setting.formulation);
    const Outcome outcome = run_on_problem(setting, problem, passes(3000), 100);
    CHECK(outcome.result.primal >= best * (1 - 1e-9));
    CHECK(outcome.result.primal <= best * 1.02);
    double least = std::numeric_limits<double>::infinity();
    for (const PassReport& report : outcome.reports) {
      CHECK(report.best_primal <= least);
      CHECK(report.primal_high >= best * (1 - 1e-9));
      least = report.best_primal;
    }
    CHECK(outcome.result.primal == least);
  }
}

TEST_CASE("subgradient returns the best w that it has evaluated, not the last") {
  const OnlineSetting setting{"P of the mean rises at times", false, {Rescaling::margin, 1, 0.1}};
  int worse = 0;
  for (unsigned seed = 1; seed < 6; ++seed) {
    ListedProblem problem = random_multiclass(seed, 14, 3, 4);
    for (std::int64_t max_passes = 2; max_passes <= 8; ++max_passes) {
      const Outcome outcome = run_on_problem(setting, problem, passes(max_passes), 1);
      double least = std::numeric_limits<double>::infinity();
      for (const PassReport& report : outcome.reports) least = std::min(least, report.primal_high);
      CHECK(outcome.result.primal == least);
      CHECK(problem.primal(outcome.result.w, 0.1) == doctest::Approx(least).epsilon(1e-12));
      worse += outcome.reports.back().primal_high > least ? 1 : 0;
    }
  }
  CHECK(worse > 0);  // the last w is not always the best
}

TEST_CASE("perceptron ends on separable data, within the bound of Novikoff on mistakes") {
  ListedProblem problem = separable();
  double longest = 0;
  for (const auto& example : problem.examples) {
    for (const Plane& plane : example) longest = std::max(longest, squared_norm(plane.a));
  }
  // gamma: the largest margin that a w of norm 1 has over all outputs but the truth.
  double gamma = 0;
  for (int k = 0; k < 10000; ++k) {
    const Vector w = {std::cos(k * 6.2832e-4), std::sin(k * 6.2832e-4)};
    double least = std::numeric_limits<double>::infinity();
    for (const auto& example : problem.examples) {
      for (const Plane& plane : example) {
        if (!plane.a.index.empty()) least = std::min(least, dot(plane.a, w));
      }
    }
    gamma = std::max(gamma, least);
  }
  REQUIRE(gamma > 0);
  for (const std::int64_t batch : {1, 2, 0}) {
    const OnlineSetting setting{"", true, {}, batch};
    const Outcome outcome = run_on_problem(setting, problem, passes(100000), 0);
    CHECK(outcome.result.stopped_by == StoppedBy::no_mistakes);
    CHECK_FALSE(outcome.result.reached);
    std::int64_t mistakes = 0;
    for (const PassReport& report : outcome.reports) mistakes += report.mistakes.value_or(0);
    CHECK(mistakes > 0);
    if (batch == 1) CHECK(static_cast<double>(mistakes) <= longest / (gamma * gamma));
    CHECK(outcome.reports.back().mistakes == 0);
  }
}

TEST_CASE("with a loss_weight perceptron learns margins") {
  ListedProblem problem = separable();
  const Outcome plain = run_on_problem({"", true}, problem, passes(1000), 0);
  const Outcome margins = run_on_problem({"", true, {}, 1, false, 1}, problem, passes(1000), 0);
  CHECK(margins.result.stopped_by == StoppedBy::no_mistakes);
  CHECK(squared_norm(margins.result.w) > squared_norm(plain.result.w));
}

TEST_CASE("perceptron and subgradient keep bounds on weights") {
  for (const OnlineSetting& setting : online_settings()) {
    if (!setting.bounds) continue;
    ListedProblem problem = problem_of(setting);
    const Result result = run_on_problem(setting, problem, passes(5)).result;
    CHECK(*std::min_element(result.w.begin(), result.w.end()) >= 0);
  }
}

TEST_CASE("limits end runs without a dual, with the result so far") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    StopOptions stop = passes(100);
    stop.max_oracle_calls = 5 * problem.example_count();
    const Result calls = run_on_problem(setting, problem, stop, 0).result;
    CHECK(calls.stopped_by == StoppedBy::max_oracle_calls);
    CHECK(calls.passes == 5);
    CHECK(calls.primal_high.has_value());
    stop = passes(100);
    stop.max_seconds = 0;
    const Result seconds = run_on_problem(setting, problem, stop).result;
    CHECK(seconds.stopped_by == StoppedBy::max_seconds);
    CHECK(seconds.passes == 0);
    CHECK(std::isinf(seconds.primal));
    CHECK(seconds.uncertified_reason == UncertifiedReason::not_asked);
    CHECK(seconds.w == Vector(static_cast<std::size_t>(problem.dimension()), 0.0));
  }
}

TEST_CASE("without upper bounds the P of a run without a dual is a lower bound") {
  for (const OnlineSetting& setting : online_settings()) {
    ListedProblem problem = problem_of(setting);
    problem.exact = false;
    const Result result = run_on_problem(setting, problem, passes(4)).result;
    CHECK_FALSE(result.primal_high);
    CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
    CHECK(result.primal <= problem.primal(result.w, setting.formulation) * (1 + 1e-12));
  }
}

TEST_CASE("perceptron and subgradient make no step for examples without output, but count them") {
  for (const bool perceptron : {false, true}) {
    ListedProblem problem = random_chain(12, 14, 3, 3, 4);
    problem.examples.resize(20);
    const OnlineSetting setting{"", perceptron, {Rescaling::margin, 1, 5}};
    const Result result = run_on_problem(setting, problem, passes(4)).result;
    CHECK(result.answers.no_output_count == 6);
    CHECK(result.primal == doctest::Approx(problem.primal(result.w, setting.formulation)));
  }
}

TEST_CASE("a stop request ends an online pass or its evaluation after the current example") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    // A pass has 14 calls, and its evaluation as many.
    for (const std::int64_t max_calls : {5, 18}) {
      ListedProblem problem = problem_of(setting);
      KeptCheckpoints checkpoints;
      Recorder recorder;
      const Result result =
          solver_of(setting, passes(9), 1)
              ->solve(
                  problem, recorder, [&problem, max_calls] { return problem.calls >= max_calls; },
                  checkpoints);
      CHECK(result.stopped_by == StoppedBy::signal);
      CHECK(problem.calls == max_calls);
    }
  }
}

TEST_CASE("without upper bounds subgradient returns the w of the lowest primal_low") {
  const OnlineSetting setting = online_settings()[3];
  REQUIRE(setting.name == "subgradient");
  ListedProblem problem = problem_of(setting);
  problem.exact = false;
  KeptCheckpoints checkpoints;
  Recorder recorder;
  const Result result =
      solver_of(setting, passes(12), 1)->solve(problem, recorder, {}, checkpoints);
  double least = infinity;
  for (const PassReport& report : recorder.reports) {
    least = std::min(least, report.primal_low);
    CHECK(report.best_primal == least);
  }
  CHECK(least < 0.9 * recorder.reports.front().primal_low);
  CHECK(result.primal == least);
  CHECK(problem.primal(result.w, setting.formulation) == doctest::Approx(least).epsilon(1e-12));
}
