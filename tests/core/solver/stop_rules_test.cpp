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

// One function for both solvers: `joint` is one_slack.
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

StopOptions never() {
  StopOptions stop;
  stop.relative_gap = 0;
  return stop;
}

}  // namespace

TEST_CASE("a gap would do when it is finite and one of the targets allows it") {
  StopOptions options;
  options.relative_gap = 0.1;
  const Stopping relative(options, {});
  CHECK(relative.gap_would_do(1, 9, infinity));  // of P = 10
  CHECK_FALSE(relative.gap_would_do(1.2, 9, infinity));
  CHECK(relative.gap_would_do(0, 0, 0));
  options.epsilon = 0.5;
  const Stopping either(options, {});
  CHECK(either.gap_would_do(3, 9, 3));
  CHECK_FALSE(either.gap_would_do(3, 9, 2));
  // Nothing is known of P yet: inf <= inf, and inf <= 0.1 inf, prove nothing.
  for (const Stopping& stopping : {relative, either}) {
    CHECK_FALSE(stopping.gap_would_do(infinity, 9, infinity));
    CHECK_FALSE(stopping.gap_would_do(infinity, 9, 3));
  }
}

TEST_CASE("max_passes stops after so many passes, with the certificate of the last") {
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

TEST_CASE("max_oracle_calls lets no pass begin after so many calls") {
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

TEST_CASE("epsilon bounds every violation in n_slack, the mean one in one_slack, and the gap") {
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

TEST_CASE("of two targets the first reached stops") {
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

TEST_CASE("at one w n_slack adds no plane that is violated by epsilon beyond its slack at most") {
  // One example, two outputs: at the optimum of the first, w = C, xi = 1 - C, the second is
  // violated by xi + 0.05.
  const double C = 0.5;
  ListedProblem problem(2);
  problem.examples = {{Plane{{{0}, {1.0}}, 1}, Plane{{{1}, {1.0}}, 1 - C + 0.05}}};
  for (const bool is_new : {false, true}) {
    NSlackOptions options;
    options.formulation.C = C;
    options.batch = 0;
    options.stop.relative_gap = 0;
    options.stop.epsilon = is_new ? 0.01 : 0.1;
    Recorder unheard;
    const Result result = NSlack(options).solve(problem, unheard, {});
    CHECK(result.reached);
    CHECK(result.stopped_by == (is_new ? StoppedBy::relative_gap : StoppedBy::epsilon));
    CHECK(result.planes == (is_new ? 2 : 1));
  }
}

TEST_CASE("an exhausted epsilon run without upper bounds is not called a target") {
  ListedProblem problem = random_chain(3, 12, 4, 3, 4);
  problem.exact = false;
  StopOptions stop = never();
  stop.epsilon = 0.5;
  Recorder recorder;
  const Result result = run_either(false, problem, stop, recorder);
  CHECK(result.stopped_by == StoppedBy::oracle_exhausted);
  CHECK_FALSE(result.reached);
}

TEST_CASE("max_seconds stops a run that would go on") {
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

TEST_CASE("a stop request is honoured wherever it comes, and the best so far is returned") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 5}) {
      int certified = 0;
      int doubted = 0;
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
          ++doubted;
          CHECK(result.uncertified_reason == UncertifiedReason::not_asked);
          CHECK(squared_norm(result.w) > 0);
          CHECK(result.primal == result.primal_low);
          CHECK(result.primal_low <= problem.primal(result.w, 50) * (1 + 1e-12));
          CHECK(result.gap == result.primal - result.dual);
        }
      }
      // Whole passes prove their P as soon as the first is done; batches keep their w before that.
      if (batch == 0 || joint) CHECK(certified > 10);
      if (batch > 0 && !joint) CHECK(doubted > 10);
    }
  }
}

TEST_CASE("n_slack stopped between batches keeps its w, and an honest lower estimate of P") {
  ListedProblem problem = random_chain(6, 60, 4, 3, 4);
  Recorder recorder;
  const auto after = [&](std::int64_t calls) {
    problem.calls = 0;
    return run_either(
        false, problem, never(), recorder, [&, calls] { return problem.calls >= calls; }, 10);
  };
  const Result nothing = after(9);  // the first batch is broken off
  CHECK(nothing.planes == 0);
  CHECK(nothing.oracle_calls == 0);
  CHECK(nothing.primal == std::numeric_limits<double>::infinity());
  const Result result = after(45);
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

TEST_CASE("an oracle without upper bounds is doubted for that, not for being asked too little") {
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

TEST_CASE("max_seconds breaks off the pass of a slow oracle, which then counts for nothing") {
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

TEST_CASE("no pass follows one that found no plane until the QP is exact or a target in reach") {
  for (const double C : {1.0, 1e3, 1e6}) {
    for (const bool joint : {false, true}) {
      ListedProblem problem = random_chain(9, 30, 4, 3, 4);
      Recorder recorder;
      OneSlackOptions one;
      NSlackOptions n;
      one.formulation.C = n.formulation.C = C;
      one.stop = n.stop = never();
      one.drop_after = n.drop_after = 0;  // planes are counted below
      n.batch = 0;
      const Result result = joint ? OneSlack(one).solve(problem, recorder, {})
                                  : NSlack(n).solve(problem, recorder, {});
      CHECK(result.relative_gap <= 1e-9);
      int in_vain = 0;  // passes in a row that began with the planes of the one before
      for (std::size_t k = 1; k < recorder.reports.size(); ++k) {
        in_vain = recorder.reports[k].planes == recorder.reports[k - 1].planes ? in_vain + 1 : 0;
        CHECK(in_vain <= 1);
      }
    }
  }
}

TEST_CASE(
    "a violation counts by the size of its terms, in whatever unit, or by noise and epsilon") {
  const Stopping by_size(StopOptions{}, {});
  for (const double unit : {1e-10, 1.0, 1e10}) {
    CAPTURE(unit);
    CHECK(by_size.violated(unit, 0.3 * unit + 1e-9 * unit, 0.3 * unit, 0));
    CHECK_FALSE(by_size.violated(unit, 0.3 * unit + 1e-13 * unit, 0.3 * unit, 0));
    CHECK_FALSE(by_size.violated(unit, 0.31 * unit, 0.3 * unit, 0.1 * unit));
  }
  StopOptions options;
  options.epsilon = 0.1;
  CHECK_FALSE(Stopping(options, {}).violated(1, 0.35, 0.3, 0));
  CHECK(Stopping(options, {}).violated(1, 0.45, 0.3, 0));
}
