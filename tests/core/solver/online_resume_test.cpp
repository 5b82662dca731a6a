// Runs of perceptron and subgradient that resume from a checkpoint, compared with runs that were
// never interrupted.

#include <doctest/doctest.h>

#include <cmath>

#include "core/refusal.hpp"
#include "core/solver/online_settings.hpp"
#include "core/solver/outcome.hpp"
#include "core/solver/solver_settings.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

void check_equal_without_dual(const Result& a, const Result& b) {
  CHECK(a.w == b.w);
  CHECK(a.primal == b.primal);
  CHECK(a.primal_high == b.primal_high);
  CHECK(a.uncertified_reason == b.uncertified_reason);
  CHECK(a.stopped_by == b.stopped_by);
  CHECK(a.passes == b.passes);
  CHECK(a.oracle_calls == b.oracle_calls);
}

// The resumed run reports the passes that were not reported before. All but the times are equal.
void check_continues_without_dual(const Outcome& all, std::int64_t reported_passes,
                                  const Outcome& rest) {
  const auto reported = static_cast<std::size_t>(reported_passes);
  REQUIRE(all.reports.size() == reported + rest.reports.size());
  for (std::size_t k = 0; k < rest.reports.size(); ++k) {
    const PassReport& a = all.reports[reported + k];
    const PassReport& b = rest.reports[k];
    CHECK(a.pass == b.pass);
    CHECK(a.oracle_calls == b.oracle_calls);
    CHECK(a.mistakes == b.mistakes);
    CHECK(a.violated == b.violated);
    CHECK(a.best_primal == b.best_primal);
  }
}

}  // namespace

TEST_CASE("a run without a dual resumes from any of its checkpoints with the same bits") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    const Outcome plain = run(setting, passes(8));
    REQUIRE(plain.kept.size() == 1);
    const Outcome whole = run(setting, passes(8), KeptCheckpoints("", true));
    check_equal_without_dual(plain.result, whole.result);
    REQUIRE(whole.kept.size() > 20);  // after every batch
    const std::size_t stride = 1 + whole.kept.size() / 13;
    for (std::size_t k = 0; k < whole.kept.size(); k += stride) {
      const KeptCheckpoints::Checkpoint& kept = whole.kept[k];
      const Outcome rest = run(setting, passes(8), KeptCheckpoints(kept.state));
      check_equal_without_dual(plain.result, rest.result);
      check_continues_without_dual(plain, kept.reported_passes, rest);
    }
  }
}

TEST_CASE("with checkpoints between passes only, an online solver writes one for each pass") {
  class AfterEveryPass : public KeptCheckpoints {
   public:
    bool is_due() override { return true; }
    bool is_due_within_pass() override { return false; }
  };
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    AfterEveryPass checkpoints;
    Recorder recorder;
    solver_of(setting, passes(8))->solve(problem, recorder, {}, checkpoints);
    CHECK(checkpoints.kept.size() == 8);
  }
}

TEST_CASE("a run without a dual that is stopped at any poll resumes with the same bits") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    const Outcome plain = run(setting, passes(8));
    int stops = 0;
    for (std::int64_t polls = 0; polls < 3000; polls += 1 + polls / 6) {
      CAPTURE(polls);
      const Outcome first = run(setting, passes(8), {}, after_polls(polls));
      if (first.result.stopped_by != StoppedBy::signal) break;
      ++stops;
      REQUIRE(first.kept.size() == 1);
      const Outcome rest = run(setting, passes(8), KeptCheckpoints(first.kept[0].state));
      check_equal_without_dual(plain.result, rest.result);
      check_continues_without_dual(plain, first.kept[0].reported_passes, rest);
    }
    CHECK(stops > 10);
  }
}

TEST_CASE("a run without a dual that max_passes ended resumes as a run with more passes") {
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    const Outcome plain = run(setting, passes(8));
    for (std::int64_t max_passes = 1; max_passes < 8; ++max_passes) {
      const Outcome first = run(setting, passes(max_passes));
      CHECK(first.result.primal_high.has_value());
      REQUIRE(first.kept.size() == 1);
      const Outcome same = run(setting, passes(max_passes), KeptCheckpoints(first.kept[0].state));
      check_equal_without_dual(first.result, same.result);
      const Outcome rest = run(setting, passes(8), KeptCheckpoints(first.kept[0].state));
      check_equal_without_dual(plain.result, rest.result);
    }
  }
}

TEST_CASE("a damaged state of a run without a dual is refused or used, without any crash") {
  for (const OnlineSetting& setting : online_settings()) {
    const std::string state = run(setting, passes(3)).kept.back().state;
    const auto refusal = [&](const std::string& bytes) {
      return refusal_of([&] { run(setting, passes(3), KeptCheckpoints(bytes)); }).exit;
    };
    for (std::size_t size = 1; size < state.size(); size += 1 + size / 40) {
      CHECK(refusal(state.substr(0, size)) == Exit::data);
    }
    CHECK(refusal(state + "x") == Exit::data);
    int refused = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      std::string damaged = state;
      damaged[k] = static_cast<char>(damaged[k] ^ 0xff);
      refused += refusal(damaged) != Exit::reached ? 1 : 0;
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("if an oracle fails, a run without a dual loses at most one batch") {
  class Failing : public ListedProblem {
   public:
    using ListedProblem::ListedProblem;
    std::int64_t max_calls = 50;
    void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                  std::vector<Separation>& out) override {
      if (calls >= max_calls) throw Failure(Exit::plugin, "the server went away");
      ListedProblem::separate(w, numbers, pass, out);
    }
  };
  for (const OnlineSetting& setting : online_settings()) {
    CAPTURE(setting.name);
    const Outcome plain = run(setting, passes(8));
    Failing failing(problem_of(setting).dimension());
    static_cast<ListedProblem&>(failing) = problem_of(setting);
    KeptCheckpoints checkpoints;
    Recorder recorder;
    const auto solver = solver_of(setting, passes(8));
    CHECK(refusal_of([&] { solver->solve(failing, recorder, {}, checkpoints); }).text ==
          "the server went away");
    REQUIRE(checkpoints.kept.size() == 1);
    const Outcome rest = run(setting, passes(8), KeptCheckpoints(checkpoints.kept[0].state));
    check_equal_without_dual(plain.result, rest.result);
  }
}
