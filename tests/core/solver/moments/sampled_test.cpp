// soda, z_score and constrained_z_score with sampled moments: dense systems of the same samples,
// samples that hold all outputs, checkpoints, memory and verification.

#include <doctest/doctest.h>

#include <utility>

#include "core/solver/moments/enumerated_samples.hpp"
#include "core/solver/outcome.hpp"
#include "solver/moments/constrained_z_score.hpp"
#include "solver/moments/soda.hpp"
#include "solver/moments/z_score.hpp"
#include "verify/moment_verification.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

struct SampledCase {
  const char* name;
  MomentTerms terms;
  bool has_exact_mean;
  std::vector<double> weights;
};

const SampledCase sampled_cases[] = {
    {"soda", {true, 0.1, 8}, true, {}},
    {"z_score", {false, 0.1, 8}, true, {}},
    {"soda, own mean", {true, 0.1, 8}, false, {}},
    {"z_score, own mean", {false, 0.1, 8}, false, {}},
    {"soda, one sample", {true, 0.01, 1}, true, {}},
    {"soda, weights", {true, 0.01, 20}, true, {1, 2, 0, 0.5, 1, 3, 1}},
    {"z_score, weights, own mean", {false, 0.01, 20}, false, {1, 2, 0, 0.5, 1, 3, 1}},
};

// A problem whose ports offer samples, but no expectations.
struct SampledProblem {
  explicit SampledProblem(const EnumeratedExpectations& of, bool has_exact_mean = true)
      : problem(of), ports(problem), samples(problem) {
    ports.ports.expectations = nullptr;
    ports.ports.obstacle_to_expectations = "there are none";
    ports.ports.samples = &samples;
    ports.ports.obstacle_to_samples = "";
    samples.has_exact_mean = has_exact_mean;
  }
  EnumeratedExpectations problem;
  EnumeratedPorts ports;
  EnumeratedSamples samples;
};

EnumeratedExpectations problem_of(const SampledCase& one, std::uint64_t seed) {
  EnumeratedExpectations problem = random_enumerated(seed, 7, 5);
  problem.weights = one.weights;
  return problem;
}

MomentOptions options_of(const SampledCase& one) {
  MomentOptions options;
  options.lambda = one.terms.lambda;
  options.samples = one.terms.samples;
  options.residual = 1e-10;
  return options;
}

Outcome run_sampled(Solver&& solver, Ports& ports, KeptCheckpoints checkpoints = {},
                    const StopRequest& request = {}) {
  solver.require_ports(ports, "solver");
  return run(solver, ports, checkpoints, request);
}

Outcome run_sampled(const SampledCase& one, SampledProblem& problem,
                    KeptCheckpoints checkpoints = {}, const StopRequest& request = {}) {
  const MomentOptions options = options_of(one);
  Ports& ports = problem.ports.ports;
  return one.terms.adds_deviations
             ? run_sampled(Soda(options), ports, std::move(checkpoints), request)
             : run_sampled(ZScore(options), ports, std::move(checkpoints), request);
}

}  // namespace

TEST_CASE("sampled moments give the solution of the dense system of the same samples") {
  for (const SampledCase& one : sampled_cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(one.name);
      SampledProblem problem(problem_of(one, seed), one.has_exact_mean);
      const Result result = run_sampled(one, problem).result;
      const DenseMoments dense(one.terms, problem.problem,
                               problem.samples.all_drawn(one.terms.samples), one.has_exact_mean);
      const Eigen::VectorXd expected = dense.solution();
      CHECK(result.reached);
      CHECK(result.certified);
      for (int j = 0; j < expected.size(); ++j) {
        CHECK(result.w[static_cast<std::size_t>(j)] ==
              Approx(expected[j]).epsilon(1e-6).scale(expected.norm()));
      }
      CHECK(result.primal == Approx(dense.primal(expected)).epsilon(1e-9));
      CHECK(dense.residual(result.w) <= 1.01e-10);
      CHECK(result.hinge.has_value());
      CHECK(problem.samples.passes == 1);
      // The hinges ask about all examples, also those of weight 0. Products ask nothing.
      CHECK(result.oracle_calls ==
            problem.samples.calls_of_draw() * asked_count(7, one.weights) + 7);
    }
  }
}

TEST_CASE("samples that hold every output equally often give the exact moments") {
  for (const bool has_exact_mean : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      EnumeratedExpectations all = random_enumerated(seed, 7, 5);
      EnumeratedPorts exact_ports(all);
      SampledProblem problem(all, has_exact_mean);
      problem.samples.takes_all_in_turn = true;
      const auto compare = [&](Solver&& exact, Solver&& sampled) {
        const Result expected = run_sampled(std::move(exact), exact_ports.ports).result;
        const Result found = run_sampled(std::move(sampled), problem.ports.ports).result;
        REQUIRE(expected.reached);
        REQUIRE(found.reached);
        CHECK(found.primal == Approx(expected.primal).epsilon(1e-6));
        for (std::size_t j = 0; j < found.w.size(); ++j) {
          CHECK(found.w[j] == Approx(expected.w[j]).epsilon(1e-3));
        }
      };
      MomentOptions exact;
      exact.lambda = 0.1;
      MomentOptions sampled = exact;
      sampled.samples = 60;
      compare(Soda(exact), Soda(sampled));
      exact.loss_weight = sampled.loss_weight = 1.5;
      compare(Soda(exact), Soda(sampled));
      compare(ZScore(exact), ZScore(sampled));
      exact.loss_weight = sampled.loss_weight = 0;
      compare(ZScore(exact), ZScore(sampled));
      ConstrainedZScoreOptions constrained;
      constrained.terms = {0.1, 2, 0};
      constrained.stop.relative_gap = 1e-8;
      ConstrainedZScoreOptions sampled_constrained = constrained;
      sampled_constrained.terms.samples = 60;
      compare(ConstrainedZScore(constrained), ConstrainedZScore(sampled_constrained));
    }
  }
}

TEST_CASE("many samples come close to the exact moments, few do not") {
  const SampledCase& one = sampled_cases[1];
  EnumeratedExpectations all = problem_of(one, 4);
  const DenseMoments exact({false, 0.1}, all);
  const Eigen::VectorXd expected = exact.solution();
  const auto distance = [&](std::int64_t samples) {
    SampledCase changed = one;
    changed.terms.samples = samples;
    SampledProblem problem(all);
    return (DenseMoments::vector_of(run_sampled(changed, problem).result.w) - expected).norm() /
           expected.norm();
  };
  CHECK(distance(2) > 0.1);
  CHECK(distance(100000) < 0.01);
}

TEST_CASE("sampled runs resume from any of their checkpoints with the same bits") {
  for (const SampledCase& one : sampled_cases) {
    CAPTURE(one.name);
    SampledProblem problem(problem_of(one, 5), one.has_exact_mean);
    const Outcome whole = run_sampled(one, problem, KeptCheckpoints("", true));
    REQUIRE(whole.kept.size() > 3);
    for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
      SampledProblem again(problem_of(one, 5), one.has_exact_mean);
      const Outcome rest = run_sampled(one, again, KeptCheckpoints(kept.state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.residual == whole.result.residual);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
    }
  }
}

TEST_CASE("sampled runs that are stopped at any poll resume with the same bits") {
  const SampledCase& one = sampled_cases[0];
  SampledProblem problem(problem_of(one, 6));
  const Outcome whole = run_sampled(one, problem);
  int polls = 0;
  for (; polls < 1000; ++polls) {
    int left = polls;
    const Outcome first = run_sampled(one, problem, {}, [&] { return left-- <= 0; });
    if (first.result.stopped_by != StoppedBy::signal) break;
    REQUIRE(first.kept.size() == 1);
    const Outcome rest = run_sampled(one, problem, KeptCheckpoints(first.kept.back().state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
  }
  CHECK(polls > 20);
  CHECK(polls < 1000);
}

TEST_CASE("sampled moments need no expectations but samples, and exact ones the other way round") {
  EnumeratedExpectations all = random_enumerated(1);
  EnumeratedPorts exact_ports(all);
  SampledProblem problem(all);
  MomentOptions options;
  CHECK_THROWS_AS(Soda(options).require_ports(problem.ports.ports, "soda"), const Failure&);
  CHECK_NOTHROW(Soda(options).require_ports(exact_ports.ports, "soda"));
  options.samples = 3;
  CHECK_THROWS_AS(Soda(options).require_ports(exact_ports.ports, "soda"), const Failure&);
  CHECK_NOTHROW(Soda(options).require_ports(problem.ports.ports, "soda"));
}

TEST_CASE("the memory of samples grows with their number, examples and features") {
  ProblemStatistics statistics;
  statistics.examples = 1000;
  statistics.dimension = 100000;
  statistics.entries = 300;
  statistics.psi_bytes = 1200;
  MomentOptions options;
  const double exact = ZScore(options).expected_bytes(statistics);
  options.samples = 50;
  const double sampled = ZScore(options).expected_bytes(statistics);
  CHECK(sampled - exact > 50 * 1000 * 1200);
  CHECK(sampled - exact < 50 * 1000 * 1400);
  CHECK(ZScore(options).min_bytes(statistics) > exact);
  ConstrainedZScoreOptions constrained;
  const double without = ConstrainedZScore(constrained).expected_bytes(statistics);
  constrained.terms.samples = 50;
  CHECK(ConstrainedZScore(constrained).expected_bytes(statistics) - without ==
        Approx(sampled - exact));
}

TEST_CASE("verify draws the samples again, and refutes a run of other samples") {
  const SampledCase& one = sampled_cases[0];
  SampledProblem problem(problem_of(one, 7));
  const Result result = run_sampled(one, problem).result;
  ReportedCertificate reported;
  reported.primal = result.primal;
  reported.dual = result.dual;
  reported.gap = result.gap;
  reported.relative_gap = result.relative_gap;
  reported.certified = true;
  reported.passes = static_cast<std::uint64_t>(result.passes);
  reported.is_bounded = true;
  reported.residual = result.residual;
  reported.hinge_primal = result.hinge->value();
  const Formulation formulation;
  const auto verify = [&] {
    return MomentVerification(problem.ports.ports, {one.terms, formulation, result.w, reported},
                              [](const std::string&) {})
        .run(2, 1);
  };
  const VerificationResult same = verify();
  CHECK(same.contradictions.empty());
  CHECK(same.oracle_calls == 2 * 7 + 7);
  problem.samples.run_seed = 2;
  CHECK_FALSE(verify().contradictions.empty());
}
