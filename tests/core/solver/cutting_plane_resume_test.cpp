// Runs of the solvers with planes that resume from a checkpoint give the same bits as runs that
// were never interrupted.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "core/refusal.hpp"
#include "core/solver/outcome.hpp"
#include "core/solver/solver_settings.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The oracle fails after max_calls calls.
class FailingProblem : public ListedProblem {
 public:
  FailingProblem(const ListedProblem& problem, std::int64_t max_calls)
      : ListedProblem(problem), max_calls_(max_calls) {}
  void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                std::vector<Separation>& out) override {
    fail_after_max_calls();
    ListedProblem::separate(w, numbers, pass, out);
  }
  void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override {
    fail_after_max_calls();
    ListedProblem::separate_jointly(w, pass, weight, out);
  }

 private:
  void fail_after_max_calls() const {
    if (calls >= max_calls_) throw Failure(Exit::plugin, "the server went away");
  }
  std::int64_t max_calls_;
};

// All but the times are equal.
void check_equal(const Result& a, const Result& b) {
  CHECK(a.w == b.w);
  CHECK(a.primal == b.primal);
  CHECK(a.primal_low == b.primal_low);
  CHECK(a.primal_high == b.primal_high);
  CHECK(a.dual == b.dual);
  CHECK(a.certified == b.certified);
  CHECK(a.uncertified_reason == b.uncertified_reason);
  CHECK(a.reached == b.reached);
  CHECK(a.stopped_by == b.stopped_by);
  CHECK(a.passes == b.passes);
  CHECK(a.oracle_calls == b.oracle_calls);
  CHECK(a.planes == b.planes);
  CHECK(a.active_planes == b.active_planes);
  CHECK(a.answers.no_output_count == b.answers.no_output_count);
  CHECK(a.answers.truth_outside_count == b.answers.truth_outside_count);
}

// The resumed run reports the passes that were not reported before. All but the times are equal.
void check_continues(const std::vector<PassReport>& all, std::int64_t reported_passes,
                     const std::vector<PassReport>& rest) {
  const auto reported = static_cast<std::size_t>(reported_passes);
  REQUIRE(all.size() == reported + rest.size());
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const PassReport& a = all[reported + k];
    CHECK(a.pass == rest[k].pass);
    CHECK(a.oracle_calls == rest[k].oracle_calls);
    CHECK(a.planes == rest[k].planes);
    CHECK(a.primal_low == rest[k].primal_low);
    CHECK(a.dual == rest[k].dual);
    CHECK(a.margin_bound == rest[k].margin_bound);
  }
}

}  // namespace

TEST_CASE("a run that resumes from any of its checkpoints ends with the same bits") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const StopOptions stop = until(setting);
    const Outcome plain = run(setting, stop);
    CHECK(plain.result.certified);
    REQUIRE(plain.result.passes > 2);
    REQUIRE(plain.kept.size() == 1);  // the end
    const Outcome whole = run(setting, stop, KeptCheckpoints("", true));
    check_equal(plain.result, whole.result);  // writing checkpoints changes nothing
    // Checkpoints are between two passes and within passes.
    REQUIRE(whole.kept.size() > static_cast<std::size_t>(whole.result.passes));
    const std::size_t stride = 1 + whole.kept.size() / 8;
    for (std::size_t k = 0; k < whole.kept.size(); k += stride) {
      const KeptCheckpoints::Checkpoint& kept = whole.kept[k];
      CAPTURE(kept.reported_passes);
      const Outcome rest = run(setting, stop, KeptCheckpoints(kept.state));
      check_equal(plain.result, rest.result);
      check_continues(plain.reports, kept.reported_passes, rest.reports);
    }
  }
}

TEST_CASE("a checkpoint that is due within a pass does not wait for the end of the pass") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const StopOptions stop = until(setting);
    const Outcome plain = run(setting, stop);
    for (std::int64_t number = 1; number < 2000; number += 1 + number) {
      CAPTURE(number);
      ListedProblem problem = problem_of(setting);
      Recorder recorder;
      CheckpointDueAtCall checkpoints(number);
      solver_of(setting, stop)->solve(problem, recorder, {}, checkpoints);
      // At least one call of is_due() for two oracle calls. There is none in the first pass, when
      // there is nothing to keep.
      CHECK(checkpoints.calls >= (plain.result.oracle_calls - problem.example_count()) / 2);
      const Outcome rest = run(setting, stop, KeptCheckpoints(checkpoints.kept[0].state));
      check_equal(plain.result, rest.result);
    }
  }
}

TEST_CASE("if an oracle fails, a run loses at most one pass") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const StopOptions stop = until(setting);
    const Outcome plain = run(setting, stop);
    FailingProblem failing(problem_of(setting), plain.result.oracle_calls / 2);
    KeptCheckpoints checkpoints;
    Recorder recorder;
    const auto solver = solver_of(setting, stop);
    const Refusal refusal = refusal_of([&] { solver->solve(failing, recorder, {}, checkpoints); });
    CHECK(refusal.text == "the server went away");
    REQUIRE(checkpoints.kept.size() == 1);
    const KeptCheckpoints::Checkpoint& kept = checkpoints.kept[0];
    const auto next = static_cast<std::size_t>(kept.reported_passes + 1);
    const PassReport& failed = plain.reports[std::min(next, plain.reports.size() - 1)];
    CHECK(failed.oracle_calls >= plain.result.oracle_calls / 2);
    const Outcome rest = run(setting, stop, KeptCheckpoints(kept.state));
    check_equal(plain.result, rest.result);
    check_continues(plain.reports, kept.reported_passes, rest.reports);
  }
}

TEST_CASE("if memory runs out, also in the QP, a run keeps its last resume point") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const StopOptions stop = until(setting);
    const Outcome plain = run(setting, stop);
    int failed = 0;
    for (std::int64_t polls = 5; polls < 3000; polls += 1 + polls / 2) {
      CAPTURE(polls);
      KeptCheckpoints checkpoints;
      ListedProblem problem = problem_of(setting);
      std::int64_t left = polls;
      const auto throw_at_last = [&left]() -> bool {
        if (--left < 0) throw std::bad_alloc();
        return false;
      };
      try {
        run(*solver_of(setting, stop), problem, checkpoints, throw_at_last);
        break;  // the run ended first
      } catch (const std::bad_alloc&) {
      }
      if (checkpoints.kept.empty()) continue;  // the first pass did not end
      ++failed;
      REQUIRE(checkpoints.kept.size() == 1);
      const KeptCheckpoints::Checkpoint& kept = checkpoints.kept[0];
      const Outcome rest = run(setting, stop, KeptCheckpoints(kept.state));
      check_equal(plain.result, rest.result);
    }
    CHECK(failed > 0);
  }
}

TEST_CASE("a run that is stopped at any poll, resumed and stopped again ends with the same bits") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const StopOptions stop = until(setting);
    const Outcome plain = run(setting, stop);
    const Outcome counted = run(setting, stop, {}, after_polls(std::int64_t{1} << 40));
    check_equal(plain.result, counted.result);
    int stops = 0;
    for (std::int64_t polls = 0; polls < 3000; polls += 1 + polls / 2) {
      CAPTURE(polls);
      const Outcome first = run(setting, stop, {}, after_polls(polls));
      if (first.result.stopped_by != StoppedBy::signal) break;
      ++stops;
      CHECK((first.reports.empty() ? 0 : first.reports.back().pass) == first.result.passes);
      REQUIRE(first.kept.size() == 1);
      CHECK(first.kept[0].reported_passes + 1 >= first.result.passes);  // at most one pass is lost
      const Outcome second =
          run(setting, stop, KeptCheckpoints(first.kept[0].state), after_polls(polls + 7));
      if (second.result.stopped_by != StoppedBy::signal) {
        check_equal(plain.result, second.result);
        continue;
      }
      // If it was stopped again in the same QP, it resumes from the earlier checkpoint.
      const KeptCheckpoints::Checkpoint& kept =
          second.kept.empty() ? first.kept[0] : second.kept.front();
      const Outcome last = run(setting, stop, KeptCheckpoints(kept.state));
      check_equal(plain.result, last.result);
      check_continues(plain.reports, kept.reported_passes, last.reports);
    }
    CHECK(stops > 5);
  }
}

TEST_CASE("a run that max_passes ended resumes as a run with more passes") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const Outcome plain = run(setting, until(setting));
    for (std::int64_t passes = 1; passes < std::min<std::int64_t>(plain.result.passes, 6);
         ++passes) {
      CAPTURE(passes);
      StopOptions limited = until(setting);
      limited.max_passes = passes;
      const Outcome first = run(setting, limited);
      REQUIRE(first.result.stopped_by == StoppedBy::max_passes);
      REQUIRE(first.kept.size() == 1);
      const Outcome same = run(setting, limited, KeptCheckpoints(first.kept[0].state));
      check_equal(first.result, same.result);
      const Outcome rest = run(setting, until(setting), KeptCheckpoints(first.kept[0].state));
      check_equal(plain.result, rest.result);
    }
  }
}

TEST_CASE("the seconds of a resumed run include those before the checkpoint") {
  const Setting setting = settings().front();
  StopOptions stop = until(setting);
  stop.max_passes = 2;
  ListedProblem problem = problem_of(setting);
  problem.delay = std::chrono::milliseconds(2);
  Recorder recorder;
  KeptCheckpoints first;
  const double before =
      solver_of(setting, stop)->solve(problem, recorder, {}, first).elapsed_seconds;
  CHECK(before > 0.05);
  problem.delay = std::chrono::microseconds(0);
  KeptCheckpoints second(first.kept.back().state);
  stop.max_seconds = before / 4;  // the run has used more already
  stop.max_passes = 100;
  const Result result = solver_of(setting, stop)->solve(problem, recorder, {}, second);
  CHECK(result.stopped_by == StoppedBy::max_seconds);
  CHECK(result.elapsed_seconds > before / 4);
  CHECK(result.times.oracle > 0.02);
}

TEST_CASE("a resumed run refuses inseparable data with the same message") {
  for (const bool joint : {false, true}) {
    Setting setting{"", {Rescaling::margin, 1, std::numeric_limits<double>::infinity()}, joint, 4};
    KeptCheckpoints whole("", true);
    ListedProblem problem = random_chain(12, 14, 3, 3, 4);  // a quarter of the labels are noise
    Recorder recorder;
    const Refusal refusal = refusal_of(
        [&] { solver_of(setting, until(setting))->solve(problem, recorder, {}, whole); });
    REQUIRE(refusal.exit == Exit::data);
    REQUIRE(refusal.says("examples"));
    REQUIRE(!whole.kept.empty());
    for (const KeptCheckpoints::Checkpoint& kept : whole.kept) {
      KeptCheckpoints checkpoints(kept.state);
      const Refusal again = refusal_of(
          [&] { solver_of(setting, until(setting))->solve(problem, recorder, {}, checkpoints); });
      CHECK(again.text == refusal.text);
    }
  }
}

TEST_CASE("a state of wrong length, of another solver or of another dimension is refused") {
  for (const bool joint : {false, true}) {
    const Setting setting{"", {}, joint, 4};
    StopOptions stop = until(setting);
    stop.max_passes = 3;
    const std::string state = run(setting, stop).kept.back().state;
    const auto refused = [&](const std::string& bytes) {
      return refusal_of([&] { run(setting, stop, KeptCheckpoints(bytes)); }).exit == Exit::data;
    };
    for (std::size_t size = 1; size < state.size(); size += 1 + size / 40) {
      CAPTURE(size);
      CHECK(refused(state.substr(0, size)));
    }
    CHECK(refused(state + "x"));
    Setting other = setting;
    other.joint = !joint;
    CHECK(refused(run(other, stop).kept.back().state));
    other = setting;
    other.fractions = true;  // other dimension
    CHECK(refused(run(other, stop).kept.back().state));
  }
}

TEST_CASE("a state with counts that are too large is refused") {
  for (const bool joint : {false, true}) {
    const Setting setting{"", {}, joint, 4};
    StopOptions stop = until(setting);
    stop.max_passes = 3;
    std::string state = run(setting, stop).kept.back().state;
    // The state begins with the flag of the resume point. Two records follow, each of two flags,
    // four figures and eight counts. Then come the passes and two other counts.
    constexpr std::size_t counts = 1 + 2 * (2 + 4 * 8 + 8 * 8);
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t at = counts; at < counts + 3 * sizeof largest; at += sizeof largest) {
      std::string changed = state;
      std::memcpy(changed.data() + at, &largest, sizeof largest);
      const Refusal refusal = refusal_of([&] { run(setting, stop, KeptCheckpoints(changed)); });
      CHECK(refusal.exit == Exit::data);
      CHECK(refusal.says("negative or too large"));
    }
  }
}

TEST_CASE("a state with any byte changed is refused or used, without any crash") {
  for (const bool joint : {false, true}) {
    const Setting setting{"", {}, joint, 4};
    StopOptions stop = until(setting);
    stop.max_passes = 3;
    const std::string state = run(setting, stop).kept.back().state;
    int refused = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      std::string damaged = state;
      damaged[k] = static_cast<char>(damaged[k] ^ 0xff);
      KeptCheckpoints checkpoints(damaged);
      ListedProblem problem = problem_of(setting);
      Recorder recorder;
      StopOptions now = stop;
      now.max_passes = 1;
      refused += refusal_of([&] {
                   solver_of(setting, now)->solve(problem, recorder, after_polls(3), checkpoints);
                 }).exit != Exit::reached
                     ? 1
                     : 0;
    }
    CHECK(refused > 0);
  }
}
