// crf on problems with listed outputs: its optimum against another method, its certificate, its
// checkpoints, and wrong expectations.

#include "solver/crf/crf.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <random>

#include "core/refusal.hpp"
#include "core/solver/crf/enumerated_problem.hpp"
#include "core/solver/outcome.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

CrfOptions options_with(const LogLossTerms& terms, double relative_gap = 1e-9) {
  CrfOptions options;
  options.terms = terms;
  options.sgd_passes = 0;
  options.stop.relative_gap = relative_gap;
  return options;
}

Outcome run_crf(const CrfOptions& options, EnumeratedExpectations& problem,
                KeptCheckpoints checkpoints = {}, const StopRequest& request = {}) {
  EnumeratedPorts ports(problem);
  Crf solver(options);
  return run(solver, ports.ports, checkpoints, request);
}

// As with "checkpoint_seconds": 0.
class DueBetweenPasses : public KeptCheckpoints {
 public:
  bool is_due() override { return true; }
  bool is_due_within_pass() override { return false; }
};

// The minimum of P by proximal gradient steps of fixed length: slow, and without a line search, a
// history or a dual.
Vector slow_minimum(const LogLossTerms& terms, const EnumeratedExpectations& problem) {
  const double price = terms.C / static_cast<double>(problem.examples.size());
  double curvature = 1;  // a bound of the largest curvature of the smooth part
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    double largest = 0;
    for (const EnumeratedOutput& y : problem.examples[i].outputs) {
      largest = std::max(largest, squared_norm(y.psi));
    }
    curvature +=
        price * problem.example_weight(static_cast<std::int64_t>(i)) * largest / terms.temperature;
  }
  Vector w(static_cast<std::size_t>(problem.dimension()), 0.0);
  for (int step = 0; step < 60000; ++step) {
    Vector gradient = w;
    for (std::size_t i = 0; i < problem.examples.size(); ++i) {
      const EnumeratedExample& example = problem.examples[i];
      if (example.outputs.empty()) continue;
      Vector scaled = w;
      for (double& one : scaled) one /= terms.temperature;
      Vector mean;
      EnumeratedExpectations::log_sum(scaled, example, terms.loss_weight / terms.temperature, mean);
      const double weight = price * problem.example_weight(static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j < w.size(); ++j) {
        gradient[j] += weight * (mean[j] - example.outputs[0].psi[j]);
      }
    }
    double largest_change = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      double next = w[j] - gradient[j] / curvature;
      const double shrink = terms.l1 / curvature;
      next = next > shrink ? next - shrink : next < -shrink ? next + shrink : 0;
      if (!problem.bounds.empty() && problem.bounds[j] != 0) next = std::max(0.0, next);
      largest_change = std::max(largest_change, std::abs(next - w[j]));
      w[j] = next;
    }
    if (largest_change < 1e-14) break;
  }
  return w;
}

struct Case {
  const char* name;
  LogLossTerms terms;
  std::vector<std::uint8_t> bounds;
  std::vector<double> weights;
};

const Case cases[] = {
    {"log-loss", {10, 0, 0, 1}, {}, {}},
    {"weights", {10, 0, 0, 1}, {}, {1, 2, 0, 0.5, 1, 3, 1}},
    {"softmax-margin", {5, 0, 1, 1}, {}, {}},
    {"cold", {5, 0, 1, 0.1}, {}, {}},
    {"hot", {5, 0, 0.5, 4}, {}, {}},
    {"l1", {10, 0.4, 0, 1}, {}, {}},
    {"l1 so large that w = 0", {0.1, 10, 0, 1}, {}, {}},
    {"all bounded", {10, 0, 0, 1}, {1, 1, 1, 1, 1}, {}},
    {"some bounded", {10, 0, 1, 1}, {1, 0, 0, 1, 0}, {}},
    {"bounds and l1", {10, 0.2, 0, 1}, {1, 0, 1, 0, 0}, {1, 2, 0, 0.5, 1, 3, 1}},
};

}  // namespace

TEST_CASE("crf finds the optimum of proximal gradient steps, and proves it") {
  for (const Case& one : cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(one.name);
      CAPTURE(seed);
      EnumeratedExpectations problem = random_enumerated(seed);
      problem.bounds = one.bounds;
      problem.weights = one.weights;
      const Result result = run_crf(options_with(one.terms), problem).result;
      CHECK(result.reached);
      CHECK(result.certified);
      CHECK(result.stopped_by == StoppedBy::relative_gap);
      const Vector expected = slow_minimum(one.terms, problem);
      const double optimum = problem.primal(one.terms, expected);
      CHECK(result.primal == Approx(problem.primal(one.terms, result.w)).epsilon(1e-12));
      CHECK(result.primal == Approx(optimum).epsilon(1e-8));
      CHECK(result.dual <= optimum * (1 + 1e-12));
      for (std::size_t j = 0; j < expected.size(); ++j) {
        CHECK(result.w[j] == Approx(expected[j]).epsilon(1e-3).scale(1));
        if (expected[j] == 0) CHECK(result.w[j] == 0);
      }
    }
  }
}

TEST_CASE("in every report D <= optimum <= P, P never rises, and the gap is never negative") {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = random_enumerated(4);
    problem.bounds = one.bounds;
    problem.weights = one.weights;
    const Outcome outcome = run_crf(options_with(one.terms), problem);
    const double optimum = problem.primal(one.terms, slow_minimum(one.terms, problem));
    double previous = infinity;
    for (const PassReport& report : outcome.reports) {
      CHECK(report.dual <= optimum * (1 + 1e-12));
      CHECK(report.best_primal >= optimum * (1 - 1e-12));
      CHECK(report.best_primal <= previous);
      CHECK(report.gap >= 0);
      CHECK(report.certified);
      CHECK(report.progress.has_value());
      previous = report.best_primal;
    }
    CHECK(outcome.result.passes == std::ssize(outcome.reports));
    CHECK(outcome.result.passes == problem.passes);
    const auto asked = asked_count(problem.example_count(), problem.weights);
    CHECK(outcome.result.oracle_calls == asked * problem.passes);
  }
}

TEST_CASE("crf resumes from any of its checkpoints with the same bits") {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    const auto problem_of_case = [&] {
      EnumeratedExpectations problem = random_enumerated(5);
      problem.bounds = one.bounds;
      problem.weights = one.weights;
      return problem;
    };
    EnumeratedExpectations problem = problem_of_case();
    const Outcome whole = run_crf(options_with(one.terms), problem, KeptCheckpoints("", true));
    for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
      EnumeratedExpectations again = problem_of_case();
      const Outcome rest = run_crf(options_with(one.terms), again, KeptCheckpoints(kept.state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.primal == whole.result.primal);
      CHECK(rest.result.dual == whole.result.dual);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(kept.reported_passes + std::ssize(rest.reports) == std::ssize(whole.reports));
    }
  }
}

TEST_CASE("crf that is stopped at any poll resumes with the same bits") {
  EnumeratedExpectations problem = random_enumerated(6);
  const CrfOptions options = options_with({10, 0, 0, 1}, 1e-6);
  const Outcome whole = run_crf(options, problem);
  for (int polls = 0; polls < 60; ++polls) {
    int left = polls;
    const Outcome first = run_crf(options, problem, {}, [&] { return left-- <= 0; });
    if (first.result.stopped_by != StoppedBy::signal) break;
    CHECK_FALSE(first.result.reached);
    REQUIRE(first.kept.size() == 1);
    const Outcome rest = run_crf(options, problem, KeptCheckpoints(first.kept.back().state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.passes == whole.result.passes);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
  }
}

TEST_CASE("a damaged checkpoint of crf is refused") {
  EnumeratedExpectations problem = random_enumerated(6);
  CrfOptions options = options_with({10, 0, 0, 1}, 0);
  options.stop.max_passes = 6;
  const std::string state = run_crf(options, problem).kept.back().state;
  options.stop.max_passes = 9;
  for (std::size_t size = 1; size < state.size(); size += 1 + state.size() / 97) {
    CHECK(refusal_of([&] {
            run_crf(options, problem, KeptCheckpoints(state.substr(0, size)));
          }).exit == Exit::data);
  }
  CHECK(refusal_of([&] { run_crf(options, problem, KeptCheckpoints(state + "x")); }).exit ==
        Exit::data);
}

TEST_CASE("limits end crf between two passes, and a gap of 0 ends it at a standstill") {
  EnumeratedExpectations problem = random_enumerated(7);
  CrfOptions options = options_with({10, 0, 0, 1}, 0);
  options.stop.max_passes = 4;
  Result result = run_crf(options, problem).result;
  CHECK(result.stopped_by == StoppedBy::max_passes);
  CHECK(result.passes == 4);
  CHECK_FALSE(result.reached);
  options.stop.max_passes.reset();
  options.stop.max_oracle_calls = 30;
  result = run_crf(options, problem).result;
  CHECK(result.stopped_by == StoppedBy::max_oracle_calls);
  CHECK(result.oracle_calls == 35);
  options.stop.max_oracle_calls.reset();
  result = run_crf(options, problem).result;
  CHECK(
      (result.stopped_by == StoppedBy::standstill || result.stopped_by == StoppedBy::relative_gap));
  CHECK(result.relative_gap < 1e-13);
}

TEST_CASE("an oracle whose log Z and E[psi] contradict each other is refused") {
  for (const auto& [log_z_error, mean_error] :
       {std::pair{-0.05, 0.0}, std::pair{0.0, 0.2}, std::pair{0.0, -0.3}}) {
    EnumeratedExpectations problem = random_enumerated(8);
    problem.log_z_error = log_z_error;
    problem.mean_error = mean_error;
    const Refusal refusal = refusal_of([&] { run_crf(options_with({10, 0, 0, 1}), problem); });
    CHECK(refusal.exit == Exit::plugin);
    CHECK_MESSAGE(refusal.says("its log Z and its E[psi] contradict each other"), refusal.text);
  }
}

TEST_CASE("an approximate log Z is minimized, but nothing is certified, and errors are no fault") {
  for (const auto& [log_z_error, mean_error] : {std::pair{0.0, 0.0}, std::pair{-0.001, 0.001}}) {
    EnumeratedExpectations problem = random_enumerated(8);
    problem.is_exact = false;
    problem.log_z_error = log_z_error;
    problem.mean_error = mean_error;
    const Outcome outcome = run_crf(options_with({10, 0, 0, 1}, 1e-6), problem);
    const Result& result = outcome.result;
    CHECK_FALSE(result.certified);
    CHECK_FALSE(result.reached);
    CHECK(result.uncertified_reason == UncertifiedReason::approximate);
    CHECK_FALSE(result.primal_high);
    CHECK(std::isfinite(result.primal));
    CHECK(result.gap >= 0);
    for (const PassReport& report : outcome.reports) CHECK_FALSE(report.certified);
    EnumeratedExpectations exact = random_enumerated(8);
    const Result optimum = run_crf(options_with({10, 0, 0, 1}, 1e-9), exact).result;
    CHECK(result.primal == Approx(optimum.primal).epsilon(1e-2));
  }
}

TEST_CASE("examples without outputs are counted in the result of crf") {
  EnumeratedExpectations problem = random_enumerated(9);
  EnumeratedExample empty;
  empty.truth_psi.assign(5, 1.0);
  problem.examples.push_back(empty);
  const Result result = run_crf(options_with({10, 0, 0, 1}), problem).result;
  CHECK(result.reached);
  CHECK(result.answers.no_output_count == 1);
}

TEST_CASE("checkpoints after every pass are written after passes of stochastic steps, too") {
  EnumeratedExpectations problem = random_enumerated(12, 60);
  CrfOptions options = options_with({10, 0, 0, 1});
  options.only_sgd = true;
  options.sgd_passes = 3;
  EnumeratedPorts ports(problem);
  Recorder recorder;
  DueBetweenPasses checkpoints;
  Crf(options).solve(ports.ports, recorder, {}, checkpoints);
  std::vector<std::int64_t> passes;
  for (const KeptCheckpoints::Checkpoint& one : checkpoints.kept) {
    passes.push_back(one.reported_passes);
  }
  CHECK(passes == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("passes of stochastic steps come near the optimum, and L-BFGS goes on from there") {
  for (std::size_t k = 0; k < 2 * std::size(cases); ++k) {
    const Case& one = cases[k / 2];
    const std::int64_t batch = k % 2 == 0 ? 1 : 7;
    if (one.terms.l1 > 0 || !one.bounds.empty()) continue;
    CAPTURE(one.name);
    CAPTURE(batch);
    EnumeratedExpectations problem = random_enumerated(12, 60);
    for (EnumeratedExample& example : problem.examples) example.outputs[0].psi[1] += 2;
    if (!one.weights.empty()) problem.weights.assign(60, 0.5), problem.weights[3] = 0;
    const double optimum = problem.primal(one.terms, slow_minimum(one.terms, problem));
    CrfOptions options = options_with(one.terms);
    options.only_sgd = true;
    options.sgd_batch = batch;
    options.sgd_passes.reset();
    const Result sgd = run_crf(options, problem).result;
    CHECK(sgd.stopped_by == StoppedBy::sgd_passes);
    CHECK(sgd.passes == 26);
    CHECK(sgd.certified);
    CHECK(sgd.dual <= optimum * (1 + 1e-12));
    CHECK(sgd.primal >= optimum * (1 - 1e-12));
    const double at_zero = problem.primal(one.terms, Vector(5, 0.0));
    CHECK(sgd.primal - optimum <= 0.1 * (at_zero - optimum));
    options.only_sgd = false;
    const Outcome outcome = run_crf(options, problem);
    CHECK(outcome.result.reached);
    CHECK(outcome.result.primal == Approx(optimum).epsilon(1e-8));
    CHECK(std::isinf(outcome.reports[4].best_primal));
    CHECK(std::isfinite(outcome.reports[5].best_primal));
  }
}

TEST_CASE("stochastic steps resume from any checkpoint and any interruption with the same bits") {
  std::int64_t batch = 1;
  SUBCASE("one example a step") {}
  SUBCASE("batches") {
    batch = 7;
  }
  EnumeratedExpectations problem = random_enumerated(13, 150);
  CrfOptions options = options_with({10, 0, 1, 0.5}, 1e-6);
  options.sgd_passes = 3;
  options.sgd_batch = batch;
  const Outcome whole = run_crf(options, problem, KeptCheckpoints("", true));
  REQUIRE(whole.kept.size() > 12);
  for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
    const Outcome rest = run_crf(options, problem, KeptCheckpoints(kept.state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
    CHECK(kept.reported_passes + std::ssize(rest.reports) == std::ssize(whole.reports));
  }
  for (int polls = 0; polls < 20000; polls = polls * 5 / 4 + 1) {
    int left = polls;
    const Outcome first = run_crf(options, problem, {}, [&] { return left-- <= 0; });
    if (first.result.stopped_by != StoppedBy::signal) break;
    REQUIRE(first.kept.size() == 1);
    const Outcome rest = run_crf(options, problem, KeptCheckpoints(first.kept.back().state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
  }
}

TEST_CASE("a batch of one example makes the same step as the example alone, but for rounding") {
  EnumeratedExpectations problem = random_enumerated(13, 1);
  CrfOptions options = options_with({10, 0, 1, 0.5});
  options.only_sgd = true;
  options.sgd_passes = 3;
  const Vector alone = run_crf(options, problem).result.w;
  options.sgd_batch = 4;
  const Vector batch = run_crf(options, problem).result.w;
  REQUIRE(batch.size() == alone.size());
  for (std::size_t j = 0; j < alone.size(); ++j) CHECK(batch[j] == Approx(alone[j]).epsilon(1e-9));
}

TEST_CASE("stochastic steps are refused with bounds that the problem demands") {
  for (const bool only : {false, true}) {
    CrfOptions options = options_with({10, 0, 0, 1});
    options.only_sgd = only;
    options.sgd_passes = 2;
    CHECK_FALSE(Crf(options).traits().supports_bounds);
  }
  CHECK(Crf(options_with({10, 0, 0, 1})).traits().supports_bounds);
}
