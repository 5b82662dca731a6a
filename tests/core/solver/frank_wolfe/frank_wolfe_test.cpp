// frank_wolfe reaches the optimum of n_slack with all options. Also tests its parts: steps, gaps,
// draws and the mean of w.

#include "solver/frank_wolfe/frank_wolfe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/refusal.hpp"
#include "core/solver/outcome.hpp"
#include "core/solver/solver_settings.hpp"
#include "qp/block/frank_wolfe_step.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "solver/frank_wolfe/block_gaps.hpp"
#include "solver/frank_wolfe/block_steps.hpp"
#include "solver/frank_wolfe/gap_sampler.hpp"
#include "solver/frank_wolfe/weighted_mean.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

Result run_to_gap(const Setting& setting, ListedProblem& problem, double relative_gap,
                  std::vector<PassReport>* reports = nullptr) {
  StopOptions stop;
  stop.relative_gap = relative_gap;
  stop.max_passes = 20000;
  Recorder recorder;
  Result result = solver_of(setting, stop)->solve(problem, recorder, {});
  if (reports != nullptr) *reports = recorder.reports;
  return result;
}

Result optimum_of_n_slack(const Setting& setting, ListedProblem& problem) {
  Setting other = setting;
  other.frank_wolfe.reset();
  other.batch = 0;
  return run_to_gap(other, problem, 1e-8);
}

}  // namespace

TEST_CASE("frank_wolfe reaches the optimum of n_slack under every formulation that it supports") {
  for (const Setting& setting : frank_wolfe_settings()) {
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    const Result best = optimum_of_n_slack(setting, problem);
    const bool slow = setting.frank_wolfe->step == FrankWolfeStep::toward;
    const double target = slow ? 2e-3 : 1e-5;
    std::vector<PassReport> reports;
    const Result result = run_to_gap(setting, problem, target, &reports);
    CHECK(result.reached);
    CHECK(result.certified);
    CHECK(result.stopped_by == StoppedBy::relative_gap);
    CHECK(result.primal ==
          doctest::Approx(problem.primal(result.w, setting.formulation)).epsilon(1e-10));
    CHECK(result.primal <= best.primal * (1 + (slow ? 2e-3 : 1e-4)));
    CHECK(result.primal >= best.dual * (1 - 1e-9));
    CHECK(result.dual <= best.primal * (1 + 1e-9));
    CHECK(result.relative_gap <= target);
    double dual = 0;
    for (const PassReport& report : reports) {
      CHECK(report.dual >= dual);
      CHECK(report.dual <= best.primal * (1 + 1e-9));
      CHECK(report.best_primal >= best.dual * (1 - 1e-9));
      dual = report.dual;
    }
  }
}

TEST_CASE("frank_wolfe needs fewer oracle calls with cached planes and with gap sampling") {
  Setting setting = frank_wolfe_settings().front();
  ListedProblem problem = random_chain(21, 60, 4, 3, 4);
  setting.frank_wolfe->gap_check = 10;
  setting.frank_wolfe->cache = 20;
  const Result cached = run_to_gap(setting, problem, 1e-4);
  setting.frank_wolfe->cache = 0;
  const Result sampled = run_to_gap(setting, problem, 1e-4);
  setting.frank_wolfe->samples_by_gaps = false;
  const Result plain = run_to_gap(setting, problem, 1e-4);
  CHECK(cached.reached);
  CHECK(sampled.reached);
  CHECK(plain.reached);
  CHECK(2 * cached.oracle_calls < sampled.oracle_calls);
  CHECK(sampled.oracle_calls < plain.oracle_calls);
  CHECK(plain.oracle_calls == plain.passes * problem.example_count());
}

TEST_CASE("frank_wolfe steps to a known plane if the gap of its block is large enough") {
  ListedProblem problem = random_chain(21, 12, 3, 3, 4);
  FrankWolfeOptions options;
  options.formulation.C = 10;
  options.batch = 0;
  options.samples_by_gaps = false;
  for (const bool is_large : {true, false}) {
    CAPTURE(is_large);
    Recorder recorder;
    WorkingSet working_set(12, problem.dimension(), SlackTerm::linear(10.0 / 12));
    QpSolver qp_solver(working_set);
    PassController pass_controller(options, problem, recorder, {}, working_set, qp_solver);
    BlockSteps steps(options, working_set, pass_controller);
    double total = 0;
    for (std::int64_t i = 0; i < 12; ++i) {
      const Plane& plane = problem.examples[static_cast<std::size_t>(i)].front();
      working_set.add(i, PlaneVector(plane.a), std::max(1.0, plane.b), 1);
      steps.measure(i);
      CHECK(steps.gaps().at(i) > 0);
      total += steps.gaps().at(i);
    }
    // The limit is nu / n = 0.01 / n of the proved gap. The mean gap of a block is total / n. It
    // exceeds the limit if the proved gap is `total`, but not if it is 10000 times as much. A step
    // may make later gaps smaller.
    steps.gaps().proved_gap = is_large ? total : 10000 * total;
    steps.begin_draws(0, 1);
    std::vector<std::int64_t> batch;
    steps.draw_batch(batch);
    CHECK((batch.size() == 12) == !is_large);
  }
}

TEST_CASE("frank_wolfe keeps within max_planes_megabytes and still reaches the optimum") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    ListedProblem problem = random_chain(seed, 20, 4, 3, 4);
    Setting setting = frank_wolfe_settings().front();
    const Result unlimited = run_to_gap(setting, problem, 1e-4);
    setting.max_planes_megabytes = 0.022;  // less than the run of each seed would use
    StopOptions stop;
    stop.relative_gap = 1e-4;
    stop.max_passes = 20000;
    KeptCheckpoints checkpoints("", true);
    const auto solver = solver_of(setting, stop);
    const Outcome limited = sculpt::core::test::run(*solver, problem, checkpoints);
    CHECK(limited.result.reached);
    CHECK(limited.result.certified);
    CHECK(limited.result.primal == doctest::Approx(unlimited.primal).epsilon(1.1e-4));
    CHECK(limited.result.planes < unlimited.planes);
    int between_passes = 0;
    for (const KeptCheckpoints::Checkpoint& kept : limited.kept) {
      if (kept.state.front() != 0) continue;  // after a pass, whose planes come on top of the limit
      MemoryReader state(kept.state);
      CHECK(solver->load_working_set(problem, state)->bytes() <= 22000);
      ++between_passes;
    }
    CHECK(between_passes > 3);
  }
}

TEST_CASE("in early passes of frank_wolfe the mean of all w has a lower P than the last w") {
  Setting setting = frank_wolfe_settings()[1];
  ListedProblem problem = random_chain(21, 60, 4, 3, 4);
  StopOptions stop;
  stop.relative_gap = 0;
  stop.max_passes = 20;
  Recorder recorder;
  const Result mean = solver_of(setting, stop)->solve(problem, recorder, {});
  setting.frank_wolfe->averaging = false;
  const Result last = solver_of(setting, stop)->solve(problem, recorder, {});
  CHECK(mean.dual == doctest::Approx(last.dual).epsilon(0.01));
  CHECK(mean.primal < last.primal);
}

TEST_CASE("frank_wolfe ends if no step raises the dual, even with a target of 0") {
  for (const char* name : {"frank_wolfe", "frank_wolfe, mean, bounds"}) {
    for (const Setting& setting : frank_wolfe_settings()) {
      if (setting.name != name) continue;
      ListedProblem problem = problem_of(setting);
      const Result result = run_to_gap(setting, problem, 0);
      CHECK(result.certified);
      CHECK(result.passes < 20000);
      CHECK(result.relative_gap <= 1e-6);
    }
  }
  ListedProblem inexact = random_chain(8, 10, 4, 3, 4);
  inexact.exact = false;
  const Result result = run_to_gap(frank_wolfe_settings().front(), inexact, 0);
  CHECK_FALSE(result.certified);
  CHECK(result.passes < 20000);
}

TEST_CASE("frank_wolfe reaches P = 0 on a problem without violations") {
  ListedProblem problem(3);
  problem.examples.assign(4, {Plane{}});
  for (const Setting& setting : frank_wolfe_settings()) {
    const Result result = run_to_gap(setting, problem, 0);
    CHECK(result.primal == 0);
    CHECK(result.reached);
    CHECK(result.passes <= 2);
  }
}

TEST_CASE("a Frank-Wolfe step has the length that raises the dual most") {
  WorkingSet set(1, 4, SlackTerm::linear(2));
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (std::uint64_t k = 1; k <= 4; ++k) {
    SparseVector a{{0, 1, 2, 3}, {}};
    for (int j = 0; j < 4; ++j) a.value.push_back(normal(random));
    set.add(0, PlaneVector(a), 1, k);
  }
  Block& block = set.block(0);
  std::vector<double> score;
  const auto dual = [&] {
    set.refresh();
    return set.dual();
  };
  double last = dual();
  for (int k = 0; k < 30; ++k) {
    set.score(0, score);
    const double gap = block_gap(block, set.slack_term(), score).gap;
    const std::vector<double> before = block.alpha;
    frank_wolfe_step(block, set.slack_term(), score);
    const std::vector<double> after = block.alpha;
    const double mass = std::accumulate(after.begin(), after.end(), 0.0);
    CHECK(mass == doctest::Approx(2).epsilon(1e-12));
    CHECK(*std::min_element(after.begin(), after.end()) >= 0);
    const double reached = dual();
    if (gap > 1e-9) CHECK(reached > last);
    for (const double part : {0.9, 1.1}) {  // shorter and longer steps gain no more
      for (std::size_t p = 0; p < after.size(); ++p) {
        block.alpha[p] = before[p] + part * (after[p] - before[p]);
      }
      if (*std::min_element(block.alpha.begin(), block.alpha.end()) >= 0) CHECK(dual() <= reached);
    }
    block.alpha = after;
    last = dual();
  }
}

TEST_CASE("a Frank-Wolfe step keeps alpha that is smaller than the rounding of the cap") {
  WorkingSet set(1, 2, SlackTerm::linear(10));
  Block& block = set.block(0);
  std::vector<double> score;
  for (const double b : {1.0, 0.5, 0.7}) {
    const auto name = static_cast<std::uint64_t>(block.size());
    set.add(0, PlaneVector(Vector{1e8 * static_cast<double>(name), b}), b, name);
    const double before = set.dual();
    set.score(0, score);
    frank_wolfe_step(block, set.slack_term(), score);
    set.refresh();
    CHECK(set.dual() > 0);
    CHECK(set.dual() >= before);
  }
  CHECK(block.alpha_sum() > 0);
  CHECK(block.alpha_sum() < 1e-14);
}

TEST_CASE("an infinite gap of a block is stored as a finite number") {
  BlockGaps gaps(2);
  gaps.set(0, std::numeric_limits<double>::infinity());
  gaps.set(1, 1e308);
  CHECK(std::isfinite(gaps.at(0)));
  CHECK(std::isfinite(gaps.total()));
}

TEST_CASE("examples are drawn in proportion to their gaps, and once until their gap is set") {
  const std::vector<double> gap = {1, 0, 3, 0, 0, 6};
  std::vector<int> drawn(gap.size(), 0);
  for (int k = 0; k < 1000; ++k) {
    GapSampler sampler(gap);
    CHECK(sampler.total() == 10);
    ++drawn[static_cast<std::size_t>(sampler.draw((k + 0.5) / 1000))];
  }
  CHECK(drawn == std::vector<int>{100, 0, 300, 0, 0, 600});
  GapSampler sampler(gap);
  std::vector<std::int64_t> all;
  while (sampler.total() > 0) all.push_back(sampler.draw(0.999));
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<std::int64_t>{0, 2, 5});
  sampler.set_gap(3, 2);
  CHECK(sampler.draw(0) == 3);
}

TEST_CASE("the weighted mean is that of its recursion") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  WeightedMean mean(3);
  Vector v(3, 0.0), expected(3, 0.0);
  for (int k = 0; k < 50; ++k) {
    mean.begin_step();
    const SparseVector a{{k % 3}, {normal(random)}};
    const PlaneVector plane(a);
    mean.add(0.5, plane);
    plane.add_to(0.5, v);
    const double rho = 2.0 / (k + 2);
    for (std::size_t j = 0; j < 3; ++j) expected[j] = (1 - rho) * expected[j] + rho * v[j];
  }
  mean.make_mean(v);
  for (std::size_t j = 0; j < 3; ++j) CHECK(v[j] == doctest::Approx(expected[j]).epsilon(1e-12));
}

TEST_CASE("a damaged state of frank_wolfe is refused or used, without any crash") {
  for (const std::size_t chosen : {0U, 4U}) {  // without and with the mean
    const Setting setting = frank_wolfe_settings()[chosen];
    const auto run_passes = [&](KeptCheckpoints& checkpoints, std::int64_t passes) {
      ListedProblem problem = problem_of(setting);
      StopOptions stop;
      stop.max_passes = passes;
      Recorder recorder;
      solver_of(setting, stop)->solve(problem, recorder, {}, checkpoints);
    };
    KeptCheckpoints whole;
    run_passes(whole, 7);
    const std::string state = whole.kept.back().state;
    const auto exit_with = [&](const std::string& bytes) {
      KeptCheckpoints checkpoints(bytes);
      return refusal_of([&] { run_passes(checkpoints, 9); }).exit;
    };
    for (std::size_t size = 1; size < state.size(); size += 1 + size / 40) {
      CHECK(exit_with(state.substr(0, size)) == Exit::data);
    }
    CHECK(exit_with(state + "x") == Exit::data);
    int refused = 0;
    for (std::size_t k = 0; k < state.size(); k += 1 + k % 3) {
      std::string damaged = state;
      damaged[k] = static_cast<char>(damaged[k] ^ 0xff);
      refused += exit_with(damaged) != Exit::reached ? 1 : 0;
    }
    CHECK(refused > 0);
  }
}
