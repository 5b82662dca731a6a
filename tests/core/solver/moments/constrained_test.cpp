// constrained_z_score on problems with listed outputs: the optimum of an independent solver, bounds
// in every report, checkpoints, and answers that are wrong.

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "core/solver/moments/dense_moments.hpp"
#include "core/solver/outcome.hpp"
#include "core/solver/projected_gradient.hpp"
#include "solver/moments/constrained_z_score.hpp"
#include "solver/moments/z_score.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

struct ConstrainedCase {
  const char* name;
  double lambda;
  double price;
  std::vector<double> weights;
};

const ConstrainedCase constrained_cases[] = {
    {"low price", 0.1, 0.3, {}},
    {"high price", 0.1, 100, {}},
    {"weights", 0.01, 5, {1, 2, 0, 0.5, 1, 3, 1}},
    {"small lambda", 1e-6, 1, {}},
};

EnumeratedExpectations problem_of(const ConstrainedCase& one, std::uint64_t seed) {
  EnumeratedExpectations problem = random_enumerated(seed, 7, 5);
  problem.weights = one.weights;
  return problem;
}

ConstrainedZScoreOptions options_of(const ConstrainedCase& one, double relative_gap = 1e-8) {
  ConstrainedZScoreOptions options;
  options.terms = {one.lambda, one.price};
  options.residual = 1e-10;
  options.stop.relative_gap = relative_gap;
  return options;
}

Outcome run_constrained(const ConstrainedZScoreOptions& options, EnumeratedPorts& ports,
                        KeptCheckpoints checkpoints = {}, const StopRequest& request = {}) {
  ConstrainedZScore solver(options);
  return run(solver, ports.ports, checkpoints, request);
}

Outcome run_constrained(const ConstrainedZScoreOptions& options, EnumeratedExpectations& problem,
                        KeptCheckpoints checkpoints = {}, const StopRequest& request = {}) {
  EnumeratedPorts ports(problem);
  return run_constrained(options, ports, std::move(checkpoints), request);
}

// P by its definition.
double primal_of(const ConstrainedCase& one, const EnumeratedExpectations& problem,
                 const Vector& w) {
  const DenseMoments dense({false, one.lambda}, problem);
  double sum = 0;
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    const auto& outputs = problem.examples[i].outputs;
    double slack = 0;
    for (const EnumeratedOutput& y : outputs) {
      slack = std::max(slack, dot(w, y.psi) - dot(w, outputs[0].psi));
    }
    sum += problem.example_weight(static_cast<std::int64_t>(i)) * slack;
  }
  return dense.primal(DenseMoments::vector_of(w)) +
         one.price * sum / static_cast<double>(problem.examples.size());
}

// min P, by a solver of SVMs. With A = L L' and v = L' w - L^-1 b, P is 1/2 ||v||^2 + price/n sum
// of slacks - 1/2 <b, A^-1 b>. Its planes are (L^-1 dpsi, -<dpsi, A^-1 b>).
double optimum_of(const ConstrainedCase& one, const EnumeratedExpectations& problem) {
  const DenseMoments dense({false, one.lambda}, problem);
  const Eigen::LLT<Eigen::MatrixXd> factor(dense.A);
  const Eigen::VectorXd start = factor.solve(dense.b);
  std::vector<std::vector<Plane>> blocks;
  std::vector<double> caps;
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    const auto& outputs = problem.examples[i].outputs;
    const double weight = problem.example_weight(static_cast<std::int64_t>(i));
    if (weight == 0) continue;
    caps.push_back(one.price * weight / static_cast<double>(problem.examples.size()));
    std::vector<Plane>& planes = blocks.emplace_back();
    for (std::size_t y = 1; y < outputs.size(); ++y) {
      const Eigen::VectorXd difference =
          DenseMoments::vector_of(outputs[0].psi) - DenseMoments::vector_of(outputs[y].psi);
      const Eigen::VectorXd a = factor.matrixL().solve(difference);
      Plane& plane = planes.emplace_back();
      for (Eigen::Index j = 0; j < a.size(); ++j) {
        plane.a.index.push_back(static_cast<std::int32_t>(j));
        plane.a.value.push_back(a[j]);
      }
      plane.b = -difference.dot(start);
    }
  }
  const ReferenceSolution found = solve_by_projected_gradient(blocks, 5, caps);
  return found.dual - 0.5 * dense.b.dot(start);
}

}  // namespace

TEST_CASE("constrained_z_score finds the optimum of an independent solver, certified") {
  for (const ConstrainedCase& one : constrained_cases) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(one.name);
      CAPTURE(seed);
      EnumeratedExpectations problem = problem_of(one, seed);
      const Result result = run_constrained(options_of(one), problem).result;
      const double optimum = optimum_of(one, problem);
      CHECK(result.stopped_by == StoppedBy::relative_gap);
      CHECK(result.certified);
      CHECK(result.reached);
      CHECK(result.primal == Approx(primal_of(one, problem, result.w)).epsilon(1e-9));
      CHECK(result.primal == Approx(optimum).epsilon(1e-6).scale(1e-3));
      CHECK(result.dual <= result.primal + 1e-12 * std::abs(result.primal));
      CHECK(result.dual >= result.primal - 1.1e-8 * std::abs(result.primal) - 1e-12);
      CHECK(result.hinge.has_value());
    }
  }
}

TEST_CASE("in every report of constrained_z_score D <= min P <= P, and the gap never grows") {
  for (const ConstrainedCase& one : constrained_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = problem_of(one, 5);
    const double optimum = optimum_of(one, problem);
    const double rounding = 1e-6 * std::abs(optimum) + 1e-12;
    double last_gap = infinity;
    std::int64_t known = 0;
    for (const PassReport& report : run_constrained(options_of(one), problem).reports) {
      if (!std::isfinite(report.gap)) continue;
      ++known;
      CHECK(report.best_primal >= optimum - rounding);
      CHECK(report.dual <= optimum + rounding);
      CHECK(report.gap <= last_gap);
      last_gap = report.gap;
    }
    CHECK(known > 0);
  }
}

TEST_CASE("a price that no constraint needs gives the w of z_score, a high one satisfies them") {
  EnumeratedExpectations problem = problem_of(constrained_cases[0], 2);
  EnumeratedPorts ports(problem);
  MomentOptions free_options;
  free_options.lambda = 0.1;
  free_options.residual = 1e-10;
  Recorder recorder;
  Checkpoints none;
  const Result free = ZScore(free_options).solve(ports.ports, recorder, {}, none);
  ConstrainedCase tiny = constrained_cases[0];
  tiny.price = 1e-9;
  const Result cheap = run_constrained(options_of(tiny), problem).result;
  for (std::size_t j = 0; j < free.w.size(); ++j)
    CHECK(cheap.w[j] == Approx(free.w[j]).epsilon(1e-5));
  // A problem whose truths some w separates: each truth is far away from the others.
  EnumeratedExpectations separable = problem_of(constrained_cases[0], 3);
  for (EnumeratedExample& example : separable.examples) example.outputs[0].psi[0] += 20;
  for (std::size_t y = 1; y < separable.examples[0].outputs.size(); ++y) {
    separable.examples[0].outputs[y].psi[1] += 30;  // without constraints this one wins
  }
  const Result strict = run_constrained(options_of(constrained_cases[1]), separable).result;
  REQUIRE(strict.reached);
  for (const EnumeratedExample& example : separable.examples) {
    for (const EnumeratedOutput& y : example.outputs) {
      CHECK(dot(strict.w, example.outputs[0].psi) >= dot(strict.w, y.psi) - 1e-6);
    }
  }
}

TEST_CASE("constrained_z_score ends where w = 0 is the best w, beside which no gap is small") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double relative_gap : {1e-2, 1e-3, 1e-6}) {
      CAPTURE(seed);
      CAPTURE(relative_gap);
      // Random truths contradict each other.
      EnumeratedExpectations problem = random_enumerated(seed, 60, 5);
      ConstrainedZScoreOptions options;
      options.terms = {0.01, 100};
      options.stop.relative_gap = relative_gap;
      options.stop.max_passes = 2000;
      const Result result = run_constrained(options, problem).result;
      const DenseMoments dense({false, 0.01}, problem);
      const double without_planes = 0.5 * dense.b.dot(dense.A.llt().solve(dense.b));
      CHECK((result.stopped_by == StoppedBy::standstill ||
             result.stopped_by == StoppedBy::relative_gap));
      CHECK(result.certified);
      CHECK(result.primal == 0);
      CHECK(result.w == Vector(5, 0.0));
      CHECK(result.dual <= 0);
      CHECK(result.gap == result.primal - result.dual);
      CHECK(result.gap <= 1.01 * relative_gap * without_planes);
    }
  }
}

TEST_CASE("constrained_z_score resumes from any of its checkpoints with the same bits") {
  for (const ConstrainedCase& one : constrained_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = problem_of(one, 6);
    const Outcome whole = run_constrained(options_of(one), problem, KeptCheckpoints("", true));
    REQUIRE(whole.kept.size() > 3);
    for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
      const Outcome rest = run_constrained(options_of(one), problem, KeptCheckpoints(kept.state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.primal == whole.result.primal);
      CHECK(rest.result.dual == whole.result.dual);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
    }
  }
}

TEST_CASE("constrained_z_score that is stopped at any poll resumes with the same bits") {
  const ConstrainedCase& one = constrained_cases[0];
  EnumeratedExpectations problem = problem_of(one, 7);
  const Outcome whole = run_constrained(options_of(one), problem);
  int polls = 0;
  for (; polls < 3000; ++polls) {
    int left = polls;
    const Outcome first =
        run_constrained(options_of(one), problem, {}, [&] { return left-- <= 0; });
    if (first.result.stopped_by != StoppedBy::signal) break;
    CHECK_FALSE(first.result.reached);
    REQUIRE(first.kept.size() == 1);
    const Outcome rest =
        run_constrained(options_of(one), problem, KeptCheckpoints(first.kept.back().state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
  }
  CHECK(polls > 40);
  CHECK(polls < 3000);
}

TEST_CASE("a damaged checkpoint of constrained_z_score is refused") {
  const ConstrainedCase& one = constrained_cases[0];
  EnumeratedExpectations problem = problem_of(one, 6);
  const std::string state = run_constrained(options_of(one), problem).kept.back().state;
  for (std::size_t size = 0; size < state.size(); size += 1 + state.size() / 97) {
    CHECK(refusal_of([&] {
            run_constrained(options_of(one), problem, KeptCheckpoints(state.substr(0, size + 1)));
          }).exit == Exit::data);
  }
  CHECK(refusal_of([&] {
          run_constrained(options_of(one), problem, KeptCheckpoints(state + "x"));
        }).exit == Exit::data);
}

TEST_CASE("answers without upper bounds certify nothing, and contradictions are refused") {
  const ConstrainedCase& one = constrained_cases[0];
  EnumeratedExpectations problem = problem_of(one, 8);
  EnumeratedPorts unbounded(problem);
  unbounded.planes.is_bounded = false;
  ConstrainedZScoreOptions options = options_of(one);
  options.stop.max_passes = 100;
  const Result result = run_constrained(options, unbounded).result;
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.reached);
  CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  // The planes show larger slacks than the answers. On some problems no slack is left at the
  // optimum.
  int refusals = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    EnumeratedExpectations other = problem_of(one, seed);
    EnumeratedPorts wrong(other);
    wrong.planes.low_scale = 0.5;
    const Refusal refusal = refusal_of([&] { run_constrained(options_of(one), wrong); });
    if (refusal.says("contradict each other")) ++refusals;
  }
  CHECK(refusals > 0);
}
