// The method sdca of crf on problems with listed outputs: its optimum against L-BFGS, its dual
// against the definition, its checkpoints, and wrong probabilities.

#include <doctest/doctest.h>

#include <utility>

#include "core/refusal.hpp"
#include "core/solver/crf/enumerated_cells.hpp"
#include "core/solver/outcome.hpp"
#include "solver/crf/block_ascent.hpp"
#include "solver/crf/crf.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

CrfOptions sdca_options(const LogLossTerms& terms, double relative_gap = 1e-9) {
  CrfOptions options;
  options.terms = terms;
  options.ascends_dual = true;
  options.sgd_passes = 0;
  options.stop.relative_gap = relative_gap;
  return options;
}

Outcome run_sdca(const CrfOptions& options, EnumeratedExpectations& problem,
                 KeptCheckpoints checkpoints = {}, const StopRequest& request = {}) {
  EnumeratedCellPorts ports(problem);
  Crf solver(options);
  return run(solver, ports.ports, checkpoints, request);
}

Result run_lbfgs(CrfOptions options, EnumeratedExpectations& problem) {
  options.ascends_dual = false;
  return run_sdca(options, problem).result;
}

struct SdcaCase {
  const char* name;
  LogLossTerms terms;
  std::vector<double> weights;
};

const SdcaCase sdca_cases[] = {
    {"log-loss", {10, 0, 0, 1}, {}},      {"weights", {10, 0, 0, 1}, {1, 2, 0, 0.5, 1, 3, 1}},
    {"softmax-margin", {5, 0, 1, 1}, {}}, {"cold", {5, 0, 1, 0.1}, {}},
    {"hot", {5, 0, 0.5, 2}, {}},          {"large C", {1e4, 0, 0, 1}, {}},
};

EnumeratedExpectations sdca_problem(const SdcaCase& one, std::uint64_t seed) {
  EnumeratedExpectations problem = random_enumerated(seed);
  problem.weights = one.weights;
  return problem;
}

}  // namespace

TEST_CASE("sdca and lbfgs find the same optimum, with and without stochastic steps before") {
  for (const SdcaCase& one : sdca_cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(one.name);
      CAPTURE(seed);
      EnumeratedExpectations problem = sdca_problem(one, seed);
      const Result expected = run_lbfgs(sdca_options(one.terms, 1e-11), problem);
      for (const std::int64_t passes : {0, 3}) {
        CrfOptions options = sdca_options(one.terms);
        options.sgd_passes = passes;
        const Result result = run_sdca(options, problem).result;
        CHECK(result.reached);
        CHECK(result.certified);
        CHECK(result.stopped_by == StoppedBy::relative_gap);
        CHECK(result.primal == Approx(problem.primal(one.terms, result.w)).epsilon(1e-12));
        CHECK(result.primal == Approx(expected.primal).epsilon(1e-8));
        CHECK(result.dual == Approx(expected.primal).epsilon(1e-8));
        for (std::size_t j = 0; j < expected.w.size(); ++j) {
          CHECK(result.w[j] == Approx(expected.w[j]).epsilon(1e-3).scale(1));
        }
      }
    }
  }
}

TEST_CASE("no step lowers D, and D is that of the distributions by its definition") {
  for (const SdcaCase& one : sdca_cases) {
    CAPTURE(one.name);
    for (const std::size_t n : {7U, 200U}) {
      EnumeratedExpectations problem = random_enumerated(3, n);
      if (n == 7) problem.weights = one.weights;
      const EnumeratedCellPorts ports(problem);
      BlockAscent ascent(one.terms, ports.ports);
      const Vector w(5, 0.1);
      CHECK(ascent.start(w, Pass(1)).primal == Approx(problem.primal(one.terms, w)).epsilon(1e-12));
      double previous = ports.cells.dual(one.terms, ascent.theta());
      CHECK(ascent.dual() == Approx(previous).epsilon(1e-12).scale(one.terms.C));
      std::int64_t steps = 0;
      for (std::uint64_t pass = 2; pass < 12; ++pass) {
        ascent.begin_pass(pass);
        for (; !ascent.has_ended_pass(); ++steps) {
          ascent.step(Pass(pass));
          const double dual = ports.cells.dual(one.terms, ascent.theta());
          const double rounding = 1e-12 * (one.terms.C + std::abs(dual) + squared_norm(ascent.w()));
          CHECK(dual >= previous - rounding);
          CHECK(std::abs(ascent.dual() - dual) <= rounding);
          previous = dual;
        }
        const CellGap gap = ascent.measure(Pass(pass));
        CHECK(gap.gap >= 0);
        CHECK(ascent.dual() + gap.gap ==
              Approx(problem.primal(one.terms, ascent.w())).epsilon(1e-10));
      }
      CHECK(steps > 20);
    }
  }
}

namespace {

// Example 0 cannot move once it is stuck: every other distribution seems to have less entropy.
class StuckCells : public EnumeratedCells {
 public:
  using EnumeratedCells::EnumeratedCells;
  bool is_stuck = false;
  std::int64_t calls = 0;  // about example 0, since it is stuck

  LogZ compute_mean(int worker, std::int64_t example, std::span<const double> theta,
                    std::span<double> mu) override {
    LogZ log_z = EnumeratedCells::compute_mean(worker, example, theta, mu);
    if (!is_stuck || example != 0) return log_z;
    ++calls;
    log_z.value -= 10;
    return log_z;
  }
};

}  // namespace

TEST_CASE("a block that no step moves is not drawn for a gap that it cannot gain") {
  EnumeratedExpectations problem = random_enumerated(3, 20);
  problem.weights.assign(20, 1.0);
  problem.weights[0] = 50;  // nearly all of the gap
  EnumeratedCellPorts ports(problem);
  StuckCells cells(problem);
  ports.ports.cells = &cells;
  BlockAscent ascent({10, 0, 0, 1}, ports.ports);
  (void)ascent.start(Vector(5, 0.0), Pass(1));
  (void)ascent.measure(Pass(2));
  cells.is_stuck = true;
  constexpr std::uint64_t passes = 20;
  for (std::uint64_t pass = 3; pass < 3 + passes; ++pass) {
    ascent.begin_pass(pass);
    while (!ascent.has_ended_pass()) ascent.step(Pass(pass));
  }
  // A visit makes eleven steps. It is drawn uniformly, every second pass.
  CHECK(cells.calls > 0);
  CHECK(cells.calls <= 11 * (passes / 2 + 4));
}

TEST_CASE("in every report of sdca D <= optimum <= P, D never falls, and no gap is negative") {
  for (const SdcaCase& one : sdca_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = sdca_problem(one, 4);
    const double optimum = run_lbfgs(sdca_options(one.terms, 1e-12), problem).primal;
    const Outcome outcome = run_sdca(sdca_options(one.terms), problem);
    double primal = infinity;
    double dual = -infinity;
    for (const PassReport& report : outcome.reports) {
      CHECK(report.dual <= optimum * (1 + 1e-11));
      CHECK(report.best_primal >= optimum * (1 - 1e-11));
      CHECK(report.best_primal <= primal);
      CHECK(report.dual >= dual - 1e-11 * std::abs(dual));
      CHECK(report.gap >= 0);
      CHECK(report.certified);
      primal = report.best_primal;
      dual = report.dual;
    }
    CHECK(outcome.result.passes == std::ssize(outcome.reports));
  }
}

TEST_CASE("sdca resumes from any of its checkpoints with the same bits") {
  for (const SdcaCase& one : sdca_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = sdca_problem(one, 5);
    CrfOptions options = sdca_options(one.terms, 1e-6);
    options.sgd_passes = 1;
    const Outcome whole = run_sdca(options, problem, KeptCheckpoints("", true));
    REQUIRE(whole.kept.size() > 5);
    const std::size_t stride = 1 + whole.kept.size() / 30;
    for (std::size_t k = 0; k < whole.kept.size(); k += stride) {
      const Outcome rest = run_sdca(options, problem, KeptCheckpoints(whole.kept[k].state));
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.primal == whole.result.primal);
      CHECK(rest.result.dual == whole.result.dual);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
      CHECK(whole.kept[k].reported_passes + std::ssize(rest.reports) == std::ssize(whole.reports));
    }
  }
}

TEST_CASE("sdca that is stopped at any poll resumes with the same bits") {
  EnumeratedExpectations problem = random_enumerated(6, 150);
  CrfOptions options = sdca_options({10, 0, 1, 0.5}, 1e-4);
  options.sgd_passes = 1;
  const Outcome whole = run_sdca(options, problem);
  bool has_ended = false;
  for (int polls = 0; polls < 100000 && !has_ended; polls = polls * 5 / 4 + 1) {
    int left = polls;
    const Outcome first = run_sdca(options, problem, {}, [&] { return left-- <= 0; });
    has_ended = first.result.stopped_by != StoppedBy::signal;
    if (has_ended) break;
    CHECK_FALSE(first.result.reached);
    REQUIRE(first.kept.size() == 1);
    // Once more in the first call after the resumption, where mu is computed.
    int few = 20;
    const Outcome second = run_sdca(options, problem, KeptCheckpoints(first.kept.back().state),
                                    [&] { return few-- <= 0; });
    const Outcome rest = run_sdca(options, problem, KeptCheckpoints(second.kept.back().state));
    CHECK(rest.result.w == whole.result.w);
    CHECK(rest.result.dual == whole.result.dual);
    CHECK(rest.result.passes == whole.result.passes);
    CHECK(rest.result.oracle_calls == whole.result.oracle_calls);
  }
  CHECK(has_ended);
}

TEST_CASE("a damaged checkpoint of sdca is refused") {
  EnumeratedExpectations problem = random_enumerated(6);
  CrfOptions options = sdca_options({10, 0, 0, 1}, 0);
  options.stop.max_passes = 6;
  const std::string state = run_sdca(options, problem).kept.back().state;
  options.stop.max_passes = 9;
  for (std::size_t size = 1; size < state.size(); size += 1 + state.size() / 97) {
    CHECK(refusal_of([&] {
            run_sdca(options, problem, KeptCheckpoints(state.substr(0, size)));
          }).exit == Exit::data);
  }
  CHECK(refusal_of([&] { run_sdca(options, problem, KeptCheckpoints(state + "x")); }).exit ==
        Exit::data);
}

TEST_CASE(
    "limits end sdca between two passes, and a gap of 0 ends it when rounding hides the gap") {
  EnumeratedExpectations problem = random_enumerated(7);
  CrfOptions options = sdca_options({10, 0, 0, 1}, 0);
  options.stop.max_passes = 3;
  Result result = run_sdca(options, problem).result;
  CHECK(result.stopped_by == StoppedBy::max_passes);
  CHECK(result.passes == 3);
  CHECK_FALSE(result.reached);
  options.stop.max_passes.reset();
  result = run_sdca(options, problem).result;
  CHECK(result.stopped_by == StoppedBy::relative_gap);
  CHECK(result.relative_gap == 0);
}

// No gap is below the target, so nothing else can end the run.
TEST_CASE("sdca stands still where neither D nor the gap changes any more") {
  for (const SdcaCase& one : sdca_cases) {
    CAPTURE(one.name);
    EnumeratedExpectations problem = sdca_problem(one, 7);
    const Outcome outcome = run_sdca(sdca_options(one.terms, -1), problem);
    CHECK(outcome.result.stopped_by == StoppedBy::standstill);
    CHECK_FALSE(outcome.result.reached);
    CHECK(outcome.result.relative_gap < 1e-9);
  }
}

TEST_CASE("examples without outputs are counted in the result of sdca, and examples of weight 0") {
  EnumeratedExpectations problem = random_enumerated(9);
  EnumeratedExample empty;
  empty.truth_psi.assign(5, 1.0);
  problem.examples.push_back(empty);
  problem.weights = {1, 0, 1, 1, 2, 1, 1, 1};
  const Result expected = run_lbfgs(sdca_options({10, 0, 0, 1}, 1e-11), problem);
  const Result result = run_sdca(sdca_options({10, 0, 0, 1}), problem).result;
  CHECK(result.reached);
  CHECK(result.answers.no_output_count == 1);
  CHECK(result.primal == Approx(expected.primal).epsilon(1e-8));
}

TEST_CASE("sdca refuses approximations of log Z, and contradictions between log Z and E[z]") {
  EnumeratedExpectations problem = random_enumerated(8);
  EnumeratedCellPorts ports(problem);
  const auto run = [&] {
    Recorder recorder;
    Crf(sdca_options({10, 0, 0, 1}, 1e-6)).solve(ports.ports, recorder, {});
  };
  ports.cells.is_exact = false;
  const Refusal approximate = refusal_of(run);
  CHECK(approximate.exit == Exit::config);
  CHECK_MESSAGE(approximate.says("use the method lbfgs, or another oracle"), approximate.text);
  ports.cells.is_exact = true;
  ports.cells.mean_error = 0.1;
  const Refusal wrong = refusal_of(run);
  CHECK(wrong.exit == Exit::plugin);
  CHECK_MESSAGE(wrong.says("its log Z and its E[z] contradict each other"), wrong.text);
}

TEST_CASE("sdca refuses answers that cease to be exact, in whatever step or pass") {
  for (const std::int64_t calls : {0, 1, 20, 45, 80}) {
    CAPTURE(calls);
    EnumeratedExpectations problem = random_enumerated(8);
    EnumeratedCellPorts ports(problem);
    ports.cells.exact_calls = calls;
    Recorder recorder;
    const Refusal refusal = refusal_of([&] {
      Crf(sdca_options({10, 0, 0, 1}, 1e-12)).solve(ports.ports, recorder, {});
    });
    CHECK(refusal.exit == Exit::config);
  }
}

TEST_CASE("the memory of sdca grows with the cells of all examples") {
  ProblemStatistics statistics;
  statistics.examples = 100;
  statistics.dimension = 1000;
  statistics.cells = 45;  // blocks begin at multiples of 8
  const Crf solver(sdca_options({10, 0, 0, 1}));
  const double bytes = solver.min_bytes(statistics);
  CHECK(bytes >= 2 * statistics.vector_bytes() + 100 * 48 * 16);
  statistics.cells = 64;
  CHECK(solver.min_bytes(statistics) - bytes == 100 * 16 * 16);
  CHECK(solver.expected_bytes(statistics) >= solver.min_bytes(statistics));
}

TEST_CASE("sdca does not support bounds, and needs cells") {
  const SolverTraits traits = Crf(sdca_options({10, 0, 0, 1})).traits();
  CHECK_FALSE(traits.supports_bounds);
  CHECK(traits.asks_one_by_one);
  EnumeratedExpectations problem = random_enumerated(8);
  EnumeratedPorts ports(problem);
  ports.ports.obstacle_to_expectations = ports.ports.obstacle_to_loss_in_expectations = "";
  const Refusal refusal = refusal_of([&] {
    Crf(sdca_options({10, 0, 0, 1})).require_ports(ports.ports, "crf");
  });
  CHECK(refusal.exit == Exit::config);
  CHECK_MESSAGE(refusal.says("use the method lbfgs, or a map_solver"), refusal.text);
}
