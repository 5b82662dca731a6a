// soda and z_score on problems with listed outputs: w against dense solutions, checkpoints, limits,
// and covariances that are none.

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "core/solver/moments/dense_moments.hpp"
#include "core/solver/outcome.hpp"
#include "objective/truth_deviations.hpp"
#include "solver/moments/soda.hpp"
#include "solver/moments/z_score.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

struct MomentCase {
  const char* name;
  MomentTerms terms;
  std::size_t dimension;  // above 20 the covariances of 7 examples are singular
  std::vector<double> weights;
};

const MomentCase moment_cases[] = {
    {"soda", {true, 0.1}, 5, {}},
    {"z_score", {false, 0.1}, 5, {}},
    {"soda, weights", {true, 0.01}, 5, {1, 2, 0, 0.5, 1, 3, 1}},
    {"z_score, weights", {false, 0.01}, 5, {1, 2, 0, 0.5, 1, 3, 1}},
    {"soda, singular", {true, 0}, 30, {}},
    {"z_score, singular", {false, 0}, 30, {}},
    {"z_score, singular with weights", {false, 0}, 30, {1, 2, 0, 0.5, 1, 3, 1}},
    {"soda, small lambda", {true, 1e-8}, 30, {}},
    {"z_score, large lambda", {false, 1e3}, 30, {}},
};

EnumeratedExpectations problem_of(const MomentCase& one, std::uint64_t seed) {
  EnumeratedExpectations problem = random_enumerated(seed, 7, one.dimension);
  problem.weights = one.weights;
  return problem;
}

MomentOptions options_of(const MomentCase& one, double residual = 1e-10) {
  MomentOptions options;
  options.lambda = one.terms.lambda;
  options.residual = residual;
  return options;
}

Outcome run_moments(const MomentCase& one, const MomentOptions& options,
                    EnumeratedExpectations& problem, KeptCheckpoints checkpoints = {},
                    const StopRequest& request = {}) {
  EnumeratedPorts ports(problem);
  Recorder recorder;
  Outcome outcome;
  const auto solve = [&](Solver&& solver) {
    return solver.solve(ports.ports, recorder, request, checkpoints);
  };
  outcome.result = one.terms.adds_deviations ? solve(Soda(options)) : solve(ZScore(options));
  outcome.reports = std::move(recorder.reports);
  outcome.kept = checkpoints.kept;
  return outcome;
}

// P of the hinges, by its definition.
double hinge_primal(const EnumeratedExpectations& problem, const Vector& w) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    const auto& outputs = problem.examples[i].outputs;
    double slack = 0;
    for (const EnumeratedOutput& y : outputs) {
      slack = std::max(slack, y.loss - dot(w, outputs[0].psi) + dot(w, y.psi));
    }
    sum += problem.example_weight(static_cast<std::int64_t>(i)) * slack;
  }
  return 0.5 * squared_norm(w) + sum / static_cast<double>(problem.examples.size());
}

}  // namespace

TEST_CASE("soda and z_score find the solution of dense systems, that of least norm if singular") {
  for (const MomentCase& one : moment_cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(one.name);
      CAPTURE(seed);
      EnumeratedExpectations problem = problem_of(one, seed);
      const Result result = run_moments(one, options_of(one), problem).result;
      const DenseMoments dense(one.terms, problem);
      const Eigen::VectorXd expected = dense.solution();
      CHECK(result.stopped_by == StoppedBy::residual);
      CHECK(result.reached);
      for (int j = 0; j < expected.size(); ++j) {
        CHECK(result.w[static_cast<std::size_t>(j)] ==
              Approx(expected[j]).epsilon(1e-6).scale(expected.norm()));
      }
      CHECK(result.primal == Approx(dense.primal(expected)).epsilon(1e-9));
      CHECK(*result.residual <= 1e-10);
      CHECK(dense.residual(result.w) <= 1.01e-10);
      CHECK(result.certified == (one.terms.lambda > 0));
      if (result.certified) CHECK(result.dual <= dense.primal(expected) * (1 - 1e-12));
      if (!result.certified) CHECK(std::isnan(result.dual));
      REQUIRE(result.hinge.has_value());
      CHECK(result.hinge->value() == Approx(hinge_primal(problem, result.w)).epsilon(1e-12));
    }
  }
}

TEST_CASE("in every report of soda and z_score Q falls, and D <= min Q <= Q") {
  for (const MomentCase& one : moment_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = problem_of(one, 4);
    const Outcome outcome = run_moments(one, options_of(one), problem);
    const DenseMoments dense(one.terms, problem);
    const double optimum = dense.primal(dense.solution());
    const double rounding = 1e-9 * std::abs(optimum);
    double previous = infinity;
    for (const PassReport& report : outcome.reports) {
      CHECK(report.best_primal >= optimum - rounding);
      CHECK(report.best_primal <= previous + rounding);
      if (one.terms.lambda > 0) CHECK(report.dual <= optimum + rounding);
      CHECK(report.residual.has_value());
      previous = report.best_primal;
    }
    const auto asked = asked_count(problem.example_count(), problem.weights);
    CHECK(outcome.result.passes == std::ssize(outcome.reports));
    // soda keeps its b_i, so that a product asks once.
    CHECK(problem.passes == (one.terms.adds_deviations ? 0 : 1));
    CHECK(problem.deviations == (one.terms.adds_deviations ? 1 : 0));
    CHECK(problem.products == outcome.result.passes - 1);
    // The hinges ask about all examples, also those of weight 0.
    CHECK(outcome.result.oracle_calls == asked * (1 + problem.products) + problem.example_count());
  }
}

TEST_CASE("soda and z_score resume from any of their checkpoints with the same bits") {
  for (const MomentCase& one : moment_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = problem_of(one, 5);
    const Outcome whole = run_moments(one, options_of(one), problem, KeptCheckpoints("", true));
    REQUIRE(whole.kept.size() > 3);
    for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
      EnumeratedExpectations again = problem_of(one, 5);
      const Outcome rest = run_moments(one, options_of(one), again, KeptCheckpoints(kept.state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.primal == whole.result.primal);
      CHECK(rest.result.residual == whole.result.residual);
      CHECK(rest.result.hinge->high == whole.result.hinge->high);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
      CHECK(kept.reported_passes + std::ssize(rest.reports) == std::ssize(whole.reports));
    }
  }
}

TEST_CASE("soda and z_score that are stopped at any poll resume with the same bits") {
  for (const MomentCase& one : {moment_cases[0], moment_cases[1]}) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = problem_of(one, 6);
    const MomentOptions options = options_of(one, 1e-6);
    const Outcome whole = run_moments(one, options, problem);
    int polls = 0;
    for (; polls < 1000; ++polls) {
      int left = polls;
      const Outcome first = run_moments(one, options, problem, {}, [&] { return left-- <= 0; });
      if (first.result.stopped_by != StoppedBy::signal) break;
      CHECK_FALSE(first.result.reached);
      CHECK_FALSE(first.result.hinge.has_value());
      REQUIRE(first.kept.size() == 1);
      const Outcome rest =
          run_moments(one, options, problem, KeptCheckpoints(first.kept.back().state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
    }
    CHECK(polls > 40);
    CHECK(polls < 1000);
  }
}

TEST_CASE("a damaged checkpoint of soda is refused") {
  const MomentCase& one = moment_cases[0];
  EnumeratedExpectations problem = problem_of(one, 6);
  MomentOptions options = options_of(one);
  options.stop.max_passes = 3;
  const std::string state = run_moments(one, options, problem).kept.back().state;
  for (std::size_t size = 0; size < state.size(); size += 1 + state.size() / 97) {
    CHECK(refusal_of([&] {
            run_moments(one, options, problem, KeptCheckpoints(state.substr(0, size + 1)));
          }).exit == Exit::data);
  }
  CHECK(refusal_of([&] {
          run_moments(one, options, problem, KeptCheckpoints(state + "x"));
        }).exit == Exit::data);
}

TEST_CASE("limits end soda between two passes, and a residual of 0 ends it at a standstill") {
  const MomentCase& one = moment_cases[4];
  EnumeratedExpectations problem = problem_of(one, 7);
  MomentOptions options = options_of(one, 0);
  options.stop.max_passes = 4;
  Result result = run_moments(one, options, problem).result;
  CHECK(result.stopped_by == StoppedBy::max_passes);
  CHECK(result.passes == 4);
  CHECK_FALSE(result.reached);
  CHECK(result.hinge.has_value());
  options.stop.max_passes.reset();
  options.stop.max_oracle_calls = 30;
  result = run_moments(one, options, problem).result;
  CHECK(result.stopped_by == StoppedBy::max_oracle_calls);
  CHECK(result.oracle_calls == 7 + 4 * 7 + 7);  // b, four steps, the hinges
  options.stop.max_oracle_calls.reset();
  result = run_moments(one, options, problem).result;
  CHECK(result.stopped_by == StoppedBy::standstill);
  CHECK_FALSE(result.reached);
  CHECK(*result.residual < 1e-12);
}

TEST_CASE("truths that do not differ from the mean give w = 0 at once") {
  EnumeratedExpectations problem(2);
  problem.examples.resize(2);
  problem.examples[0].outputs = {{{1, 2}, 0}};
  problem.examples[1].outputs = {{{0, 0}, 0}, {{1, 0}, 1}, {{-1, 0}, 1}};
  for (const MomentCase& one : {moment_cases[0], moment_cases[5]}) {
    const Result result = run_moments(one, options_of(one), problem).result;
    CHECK(result.stopped_by == StoppedBy::residual);
    CHECK(result.w == Vector{0, 0});
    CHECK(result.passes == 1);
    CHECK(*result.residual == 0);
    CHECK(result.hinge->value() == Approx(0.5));
  }
}

TEST_CASE("with lambda 0, truths outside of what the outputs span end z_score at a standstill") {
  EnumeratedExpectations problem(2);
  problem.examples.resize(1);
  // The truth is no output of the oracle, as a tree that the grammar does not cover.
  problem.examples[0].outputs = {{{1, 3}, 0}, {{1, 0}, 1}, {{-1, 0}, 1}};
  EnumeratedPorts ports(problem);
  EnumeratedExpectations without_truth(2);
  without_truth.examples.resize(1);
  without_truth.examples[0].outputs = {{{1, 0}, 1}, {{-1, 0}, 1}};
  ports.ports.expectations = &without_truth;
  for (const double lambda : {0.0, 0.5}) {
    MomentOptions options;
    options.lambda = lambda;
    Recorder recorder;
    Checkpoints none;
    const Result result = ZScore(options).solve(ports.ports, recorder, {}, none);
    CHECK(result.stopped_by == (lambda == 0 ? StoppedBy::standstill : StoppedBy::residual));
    CHECK(result.reached == (lambda > 0));
    for (const double one : result.w) CHECK(std::isfinite(one));
  }
}

TEST_CASE("an oracle whose Cov[psi] v is no covariance is refused") {
  for (const MomentCase& one : {moment_cases[0], moment_cases[1]}) {
    EnumeratedExpectations negative = problem_of(one, 8);
    negative.covariance_scale = -1;
    Refusal refusal = refusal_of([&] { run_moments(one, options_of(one), negative); });
    CHECK(refusal.exit == Exit::plugin);
    CHECK_MESSAGE(refusal.says("its Cov[psi] v is wrong: for some v the variance"), refusal.text);
    EnumeratedExpectations not_linear = problem_of(one, 8);
    not_linear.covariance_of_lengths = 0.01;
    MomentOptions options = options_of(one, 1e-3);
    options.stop.max_passes = 200;
    refusal = refusal_of([&] { run_moments(one, options, not_linear); });
    CHECK(refusal.exit == Exit::plugin);
    CHECK_MESSAGE(refusal.says("its Cov[psi] v is not linear in v"), refusal.text);
  }
}

TEST_CASE("b_i that do not fit are asked for again, with the same products") {
  for (const std::vector<double>& weights :
       {std::vector<double>(), std::vector<double>{1, 2, 0, 0.5, 1, 3, 1}}) {
    EnumeratedExpectations problem = random_enumerated(3, 7, 5);
    problem.weights = weights;
    const DenseMoments with({true, 0}, problem);
    const DenseMoments without({false, 0}, problem);
    const Vector v = {1, -2, 0.5, 3, 1};
    const Eigen::VectorXd expected = (with.A - without.A) * DenseMoments::vector_of(v);
    std::int64_t last_calls = 8;
    for (const std::int64_t bytes : {0, 200, 100000}) {
      TruthDeviations deviations(problem, bytes);
      Vector b;
      deviations.sum(1, {}, b);
      Vector product(5, 0.0);
      deviations.add_product(1, v, product);
      TruthDeviations resumed(problem, bytes);  // without a sum() before
      Vector again(5, 0.0);
      resumed.add_product(1, v, again);
      CHECK(again == product);
      for (std::size_t j = 0; j < 5; ++j) {
        CHECK(b[j] == Approx(with.b[static_cast<int>(j)]).epsilon(1e-12));
        CHECK(product[j] == Approx(expected[static_cast<int>(j)]).epsilon(1e-12));
      }
      CHECK(deviations.calls_of_product() < last_calls);
      last_calls = deviations.calls_of_product();
    }
    CHECK(last_calls == 0);
  }
}

TEST_CASE("soda and z_score need memory for some w, and soda for one more") {
  ProblemStatistics statistics;
  statistics.dimension = 1000;
  const double z_score = ZScore(MomentOptions()).expected_bytes(statistics);
  CHECK(z_score == 6 * statistics.vector_bytes());
  CHECK(Soda(MomentOptions()).expected_bytes(statistics) == z_score + statistics.vector_bytes());
  CHECK(Soda(MomentOptions()).min_bytes(statistics) <= z_score + statistics.vector_bytes());
}

// Appends the loss to psi, as the weight of a feature that is fixed at loss_weight.
TEST_CASE("a loss_weight gives the w of the system in which the loss is a feature of this weight") {
  for (const bool is_soda : {true, false}) {
    for (const std::vector<double>& weights :
         {std::vector<double>(), std::vector<double>{1, 2, 0, 0.5, 1, 3, 1}}) {
      MomentCase one = {"", {is_soda, 0.1}, 5, weights};
      EnumeratedExpectations problem = problem_of(one, 3);
      EnumeratedExpectations extended(6);
      extended.examples = problem.examples;
      extended.weights = weights;
      for (EnumeratedExample& example : extended.examples) {
        for (EnumeratedOutput& y : example.outputs) y.psi.push_back(y.loss);
      }
      const DenseMoments dense({is_soda, 0.1}, extended);
      for (const double l : {0.5, 3.0}) {
        const Eigen::VectorXd expected = dense.A.topLeftCorner(5, 5).ldlt().solve(
            dense.b.head(5) - l * dense.A.topRightCorner(5, 1));
        MomentOptions options = options_of(one);
        options.loss_weight = l;
        const Result result = run_moments(one, options, problem).result;
        CHECK(result.reached);
        CHECK((expected - DenseMoments(one.terms, problem).solution()).norm() > 0.01);
        for (int j = 0; j < 5; ++j) {
          CHECK(result.w[static_cast<std::size_t>(j)] == Approx(expected[j]).epsilon(1e-7));
        }
        CHECK(result.oracle_calls == (3 + result.passes - 1) * asked_count(7, weights) + 7);
      }
    }
  }
}

TEST_CASE("examples without outputs are counted in the result of soda") {
  const MomentCase& one = moment_cases[0];
  EnumeratedExpectations problem = problem_of(one, 9);
  EnumeratedExample empty;
  empty.truth_psi.assign(5, 1.0);
  problem.examples.push_back(empty);
  const Result result = run_moments(one, options_of(one), problem).result;
  CHECK(result.reached);
  CHECK(result.answers.no_output_count == 1);
  const Eigen::VectorXd expected = DenseMoments(one.terms, problem).solution();
  for (int j = 0; j < 5; ++j) {
    CHECK(result.w[static_cast<std::size_t>(j)] == Approx(expected[j]).epsilon(1e-8));
  }
}
