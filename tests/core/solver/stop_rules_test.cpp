// The rules that end a run of n_slack and one_slack, and what a run has when it ends.

#include "solver/stop_rules.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <thread>

#include "core/solver/listed_problem.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Runs one_slack if `joint`, else n_slack.
Result run_either(bool joint, ListedProblem& problem, const StopOptions& stop, Recorder& recorder,
                  const StopRequest& request = {}, std::int64_t batch = 0) {
  if (joint) {
    OneSlackOptions options;
    options.formulation.C = 50;
    options.stop = stop;
    return OneSlack(options).solve(problem, recorder, request);
  }
  NSlackOptions options;
  options.formulation.C = 50;
  options.stop = stop;
  options.batch = batch;
  return NSlack(options).solve(problem, recorder, request);
}

// Has no limit, and a target that is hardly ever reached.
StopOptions never() {
  StopOptions stop;
  stop.relative_gap = 0;
  return stop;
}

}  // namespace

TEST_CASE("a gap would reach a target if it is finite and one of the targets allows it") {
  StopOptions options;
  options.relative_gap = 0.1;
  const StopRules relative(options, {});
  CHECK(relative.would_reach_target(1, 9, infinity));  // of P = 10
  CHECK_FALSE(relative.would_reach_target(1.2, 9, infinity));
  CHECK(relative.would_reach_target(0, 0, 0));
  options.epsilon = 0.5;
  const StopRules either(options, {});
  CHECK(either.would_reach_target(3, 9, 3));
  CHECK_FALSE(either.would_reach_target(3, 9, 2));
  // As long as P is unknown, inf <= inf and inf <= 0.1 inf prove nothing.
  for (const StopRules* const rules : {&relative, &either}) {
    CHECK_FALSE(rules->would_reach_target(infinity, 9, infinity));
    CHECK_FALSE(rules->would_reach_target(infinity, 9, 3));
  }
}

TEST_CASE("max_passes ends a run after this many passes, and the last pass is certified") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 3}) {
      ListedProblem problem = random_chain(1, 12, 4, 3, 4);
      StopOptions stop = never();
      stop.max_passes = 3;
      Recorder recorder;
      const Result result = run_either(joint, problem, stop, recorder, {}, batch);
      CHECK(result.stopped_by == StoppedBy::max_passes);
      CHECK(result.passes == 3);
      CHECK(recorder.reports.size() == 3);
      CHECK(result.oracle_calls == 36);
      CHECK(problem.calls == 36);
      CHECK(result.certified);
      CHECK_FALSE(result.reached);
      CHECK(problem.primal(result.w, 50) == doctest::Approx(result.primal));
    }
  }
}

TEST_CASE("max_oracle_calls ends a run after the pass that reaches this many calls") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 5}) {
      ListedProblem problem = random_chain(2, 12, 4, 3, 4);
      StopOptions stop = never();
      stop.max_oracle_calls = 25;
      Recorder recorder;
      const Result result = run_either(joint, problem, stop, recorder, {}, batch);
      CHECK(result.stopped_by == StoppedBy::max_oracle_calls);
      CHECK(result.oracle_calls == 36);
      CHECK(result.certified);
    }
  }
}

TEST_CASE("a run that ends by epsilon has a gap of at most C epsilon") {
  for (const double epsilon : {0.5, 0.01}) {
    for (const bool joint : {false, true}) {
      for (const std::int64_t batch : {0, 1}) {
        ListedProblem problem = random_chain(3, 12, 4, 3, 4);
        StopOptions stop = never();
        stop.epsilon = epsilon;
        Recorder recorder;
        const Result result = run_either(joint, problem, stop, recorder, {}, batch);
        CHECK(result.stopped_by == StoppedBy::epsilon);
        CHECK(result.reached);
        CHECK(result.gap <= 50 * epsilon * (1 + 1e-9));
        CHECK(result.gap > 0);
      }
    }
  }
}

TEST_CASE("with two targets a run ends at the first that it reaches") {
  ListedProblem problem = random_chain(3, 12, 4, 3, 4);
  StopOptions stop;
  stop.relative_gap = 0.5;
  stop.epsilon = 1e-6;
  Recorder recorder;
  CHECK(run_either(false, problem, stop, recorder).stopped_by == StoppedBy::relative_gap);
  stop.relative_gap = 1e-9;
  stop.epsilon = 0.5;
  CHECK(run_either(false, problem, stop, recorder).stopped_by == StoppedBy::epsilon);
}

TEST_CASE("n_slack adds a plane only if its violation exceeds the slack by more than epsilon") {
  // One example, two outputs. At the optimum of the first plane, w_0 = C and xi = 1 - C. There the
  // second plane is violated by xi + 0.05.
  const double C = 0.5;
  ListedProblem problem(2);
  problem.examples = {{Plane{{{0}, {1.0}}, 1}, Plane{{{1}, {1.0}}, 1 - C + 0.05}}};
  for (const bool is_new : {false, true}) {
    NSlackOptions options;
    options.formulation.C = C;
    options.batch = 0;
    options.stop.relative_gap = 0;
    options.stop.epsilon = is_new ? 0.01 : 0.1;
    Recorder recorder;
    const Result result = NSlack(options).solve(problem, recorder, {});
    CHECK(result.reached);
    CHECK(result.stopped_by == (is_new ? StoppedBy::relative_gap : StoppedBy::epsilon));
    CHECK(result.planes == (is_new ? 2 : 1));
  }
}

TEST_CASE("without upper bounds a run that meets epsilon has not reached its target") {
  ListedProblem problem = random_chain(3, 12, 4, 3, 4);
  problem.exact = false;
  StopOptions stop = never();
  stop.epsilon = 0.5;
  Recorder recorder;
  const Result result = run_either(false, problem, stop, recorder);
  CHECK(result.stopped_by == StoppedBy::oracle_exhausted);
  CHECK_FALSE(result.reached);
}

TEST_CASE("a max_seconds of 0 ends a run before its first pass, with w = 0") {
  for (const bool joint : {false, true}) {
    ListedProblem problem = random_chain(4, 12, 4, 3, 4);
    StopOptions stop = never();
    stop.max_seconds = 0;
    Recorder recorder;
    const Result result = run_either(joint, problem, stop, recorder);
    CHECK(result.stopped_by == StoppedBy::max_seconds);
    CHECK(result.passes == 0);
    CHECK_FALSE(result.certified);
    CHECK(result.uncertified_reason == UncertifiedReason::not_asked);
    CHECK(result.primal == std::numeric_limits<double>::infinity());
    CHECK(result.relative_gap == std::numeric_limits<double>::infinity());
    CHECK(result.w == Vector(static_cast<std::size_t>(problem.dimension()), 0.0));
  }
}

TEST_CASE("a stop request ends a run at any poll, and the best result so far is returned") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 5}) {
      int certified = 0;
      int uncertified = 0;
      for (int at = 1; at < 300; at += 1 + at / 20) {
        CAPTURE(at);
        ListedProblem problem = random_chain(5, 30, 4, 3, 4);
        Recorder recorder;
        int polls = 0;
        const Result result = run_either(
            joint, problem, never(), recorder, [&] { return ++polls >= at; }, batch);
        CHECK(result.stopped_by == StoppedBy::signal);
        CHECK(polls <= at + 1);
        CHECK_FALSE(result.reached);
        CHECK(result.dual <= result.primal);
        CHECK(result.oracle_calls <= problem.calls);
        if (result.certified) {
          ++certified;
          CHECK(result.uncertified_reason == UncertifiedReason::none);
          CHECK(problem.primal(result.w, 50) == doctest::Approx(result.primal));
        } else if (result.planes > 0) {
          ++uncertified;
          CHECK(result.uncertified_reason == UncertifiedReason::not_asked);
          CHECK(squared_norm(result.w) > 0);
          CHECK(result.primal == result.primal_low);
          CHECK(result.primal_low <= problem.primal(result.w, 50) * (1 + 1e-12));
          CHECK(result.gap == result.primal - result.dual);
        }
      }
      // At one w, P is proved after the first pass. In batches there is a w before P is proved.
      if (batch == 0 || joint) CHECK(certified > 10);
      if (batch > 0 && !joint) CHECK(uncertified > 10);
    }
  }
}

TEST_CASE("n_slack stopped between batches returns its w, and a lower bound as P") {
  ListedProblem problem = random_chain(6, 60, 4, 3, 4);
  Recorder recorder;
  const auto stopped_after = [&](std::int64_t calls) {
    problem.calls = 0;
    return run_either(
        false, problem, never(), recorder, [&, calls] { return problem.calls >= calls; }, 10);
  };
  const Result nothing = stopped_after(9);  // within the first batch
  CHECK(nothing.planes == 0);
  CHECK(nothing.oracle_calls == 0);
  CHECK(nothing.primal == std::numeric_limits<double>::infinity());
  const Result result = stopped_after(45);
  CHECK(result.stopped_by == StoppedBy::signal);
  CHECK(result.passes == 0);
  CHECK(result.oracle_calls == 40);
  CHECK(squared_norm(result.w) > 0);
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.reached);
  CHECK_FALSE(result.primal_high.has_value());
  CHECK(result.uncertified_reason == UncertifiedReason::not_asked);
  CHECK(result.dual > 0);
  CHECK(result.primal >= result.dual);
  CHECK(result.primal <= problem.primal(result.w, 50));
  CHECK(result.relative_gap == doctest::Approx((result.primal - result.dual) / result.primal));
}

TEST_CASE("without upper bounds the reason of an uncertified run is no_upper_bound") {
  for (const bool joint : {false, true}) {
    ListedProblem problem = random_chain(3, 12, 4, 3, 4);
    problem.exact = false;
    StopOptions stop;
    Recorder recorder;
    const Result result = run_either(joint, problem, stop, recorder);
    CHECK_FALSE(result.certified);
    CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  }
}

TEST_CASE("max_seconds interrupts the pass of a slow oracle, and the pass is not counted") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 200}) {
      ListedProblem problem = random_chain(4, 400, 2, 3, 4);
      problem.delay = std::chrono::milliseconds(5);  // a pass: 2 seconds
      StopOptions stop = never();
      stop.max_seconds = 0.05;
      Recorder recorder;
      const Result result = run_either(joint, problem, stop, recorder, {}, batch);
      CHECK(result.stopped_by == StoppedBy::max_seconds);
      CHECK(result.elapsed_seconds < 0.5);
      CHECK(problem.calls < 30);
      CHECK(result.passes == 0);
      CHECK(result.oracle_calls == 0);
      CHECK(recorder.reports.empty());
      CHECK_FALSE(result.certified);
    }
  }
}

TEST_CASE("there are never two passes in a row without a new plane") {
  for (const double C : {1.0, 1e3, 1e6}) {
    for (const bool joint : {false, true}) {
      ListedProblem problem = random_chain(9, 30, 4, 3, 4);
      Recorder recorder;
      OneSlackOptions one_slack;
      NSlackOptions n_slack;
      one_slack.formulation.C = n_slack.formulation.C = C;
      one_slack.stop = n_slack.stop = never();
      one_slack.drop_after = n_slack.drop_after = 0;  // planes are counted below
      n_slack.batch = 0;
      const Result result = joint ? OneSlack(one_slack).solve(problem, recorder, {})
                                  : NSlack(n_slack).solve(problem, recorder, {});
      CHECK(result.relative_gap <= 1e-9);
      int repeats = 0;  // passes in a row that began with the planes of the pass before
      for (std::size_t k = 1; k < recorder.reports.size(); ++k) {
        repeats = recorder.reports[k].planes == recorder.reports[k - 1].planes ? repeats + 1 : 0;
        CHECK(repeats <= 1);
      }
    }
  }
}

TEST_CASE("a plane is violated if the violation exceeds rounding of its terms and epsilon") {
  const StopRules by_size(StopOptions{}, {});
  for (const double unit : {1e-10, 1.0, 1e10}) {
    CAPTURE(unit);
    CHECK(by_size.is_violated(unit, 0.3 * unit + 1e-9 * unit, 0.3 * unit, 0));
    CHECK_FALSE(by_size.is_violated(unit, 0.3 * unit + 1e-13 * unit, 0.3 * unit, 0));
    CHECK_FALSE(by_size.is_violated(unit, 0.31 * unit, 0.3 * unit, 0.1 * unit));
  }
  StopOptions options;
  options.epsilon = 0.1;
  CHECK_FALSE(StopRules(options, {}).is_violated(1, 0.35, 0.3, 0));
  CHECK(StopRules(options, {}).is_violated(1, 0.45, 0.3, 0));
}
