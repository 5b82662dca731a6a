#include "solver/stopping.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "core/solver/listed_problem.hpp"
#include "solver/n_slack.hpp"
#include "solver/one_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// One function for both solvers: `joint` is one_slack.
Result run(bool joint, ListedProblem& problem, const StopOptions& stop, Recorder& recorder,
           const StopRequest& request = {}, std::int64_t batch = 0) {
  if (joint) {
    OneSlackOptions options;
    options.C = 50;
    options.stop = stop;
    return OneSlack(options).solve(problem, recorder, request);
  }
  NSlackOptions options;
  options.C = 50;
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

TEST_CASE("max_passes stops after so many passes, with the certificate of the last") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 3}) {
      ListedProblem problem = random_chain(1, 12, 4, 3, 4);
      StopOptions stop = never();
      stop.max_passes = 3;
      Recorder recorder;
      const Result result = run(joint, problem, stop, recorder, {}, batch);
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
      const Result result = run(joint, problem, stop, recorder, {}, batch);
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
        const Result result = run(joint, problem, stop, recorder, {}, batch);
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
  CHECK(run(false, problem, stop, recorder).stopped_by == StoppedBy::relative_gap);
  stop.relative_gap = 1e-9;
  stop.epsilon = 0.5;
  CHECK(run(false, problem, stop, recorder).stopped_by == StoppedBy::epsilon);
}

TEST_CASE("an exhausted epsilon run without upper bounds is not called a target") {
  ListedProblem problem = random_chain(3, 12, 4, 3, 4);
  problem.exact = false;
  StopOptions stop = never();
  stop.epsilon = 0.5;
  Recorder recorder;
  const Result result = run(false, problem, stop, recorder);
  CHECK(result.stopped_by == StoppedBy::oracle_exhausted);
  CHECK_FALSE(result.reached);
}

TEST_CASE("max_seconds stops a run that would go on") {
  for (const bool joint : {false, true}) {
    ListedProblem problem = random_chain(4, 12, 4, 3, 4);
    StopOptions stop = never();
    stop.max_seconds = 0;
    Recorder recorder;
    const Result result = run(joint, problem, stop, recorder);
    CHECK(result.stopped_by == StoppedBy::max_seconds);
    CHECK(result.passes <= 1);
    CHECK_FALSE(result.certified);
    CHECK(result.primal == std::numeric_limits<double>::infinity());
    CHECK(result.relative_gap == std::numeric_limits<double>::infinity());
    CHECK(result.w == Vector(static_cast<std::size_t>(problem.dimension()), 0.0));
  }
}

TEST_CASE("a stop request is honoured wherever it comes, and the best so far is returned") {
  for (const bool joint : {false, true}) {
    for (const std::int64_t batch : {0, 5}) {
      for (int at = 1; at < 40; ++at) {
        CAPTURE(at);
        ListedProblem problem = random_chain(5, 30, 4, 3, 4);
        Recorder recorder;
        int polls = 0;
        const Result result = run(
            joint, problem, never(), recorder, [&] { return ++polls >= at; }, batch);
        CHECK(result.stopped_by == StoppedBy::signal);
        CHECK(polls <= at + 1);
        CHECK_FALSE(result.reached);
        if (result.certified) {
          CHECK(problem.primal(result.w, 50) == doctest::Approx(result.primal));
          CHECK(result.dual <= result.primal);
        }
      }
    }
  }
}
