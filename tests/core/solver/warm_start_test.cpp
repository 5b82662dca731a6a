// Runs that begin with the planes of a run under another C, against runs that begin with none.

#include <doctest/doctest.h>

#include <algorithm>

#include <limits>
#include <optional>
#include <utility>

#include "core/solver/kept_checkpoints.hpp"
#include "core/solver/solver_settings.hpp"
#include "qp/working_set.hpp"
#include "solver/warm_start.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// With planes to begin with.
class WarmCheckpoints : public KeptCheckpoints {
 public:
  explicit WarmCheckpoints(WorkingSet planes)
      : KeptCheckpoints("", true), planes_(std::move(planes)) {}
  WorkingSet* planes() override { return &planes_; }

 private:
  WorkingSet planes_;
};

struct Outcome {
  Result result;
  std::vector<PassReport> reports;
};

Outcome run(const Setting& setting, Checkpoints& checkpoints) {
  ListedProblem problem = problem_of(setting);
  Recorder recorder;
  Outcome outcome;
  outcome.result = solver_of(setting, until(setting))->solve(problem, recorder, {}, checkpoints);
  outcome.reports = recorder.reports;
  return outcome;
}

Outcome run_cold(const Setting& setting) {
  Checkpoints none;
  return run(setting, none);
}

// The planes of a run with these settings.
WorkingSet planes_of(const Setting& setting) {
  KeptCheckpoints checkpoints;
  run(setting, checkpoints);
  MemoryReader state(checkpoints.kept.back().state);
  ListedProblem problem = problem_of(setting);
  return solver_of(setting, until(setting))->recall(problem, state).value();
}

// Those of the solvers that can begin with planes.
std::vector<Setting> cutting_plane_settings() {
  std::vector<Setting> list = settings();
  list.erase(std::remove_if(list.begin(), list.end(),
                            [](const Setting& one) { return one.frank_wolfe.has_value(); }),
             list.end());
  return list;
}

Setting under(Setting setting, double C) {
  setting.formulation.C = C;
  return setting;
}

}  // namespace

TEST_CASE(
    "planes of another C lead to the same optimum, certified from the first pass, in fewer "
    "passes") {
  std::int64_t cold_passes = 0;
  std::int64_t warm_passes = 0;
  for (const Setting& setting : cutting_plane_settings()) {
    if (setting.formulation.hard_margin()) continue;
    const Outcome cold = run_cold(setting);
    for (const double factor : {0.5, 1.0, 3.0}) {
      CAPTURE(setting.name);
      CAPTURE(factor);
      WarmCheckpoints checkpoints(planes_of(under(setting, factor * setting.formulation.C)));
      const Outcome warm = run(setting, checkpoints);
      CHECK(warm.result.certified);
      REQUIRE(!warm.reports.empty());
      CHECK(warm.reports.front().certified);
      CHECK(warm.reports.front().dual > 0);
      const double both = cold.result.gap + warm.result.gap + 1e-9;
      CHECK(std::abs(warm.result.primal - cold.result.primal) <= both);
      CHECK(warm.result.dual <= cold.result.primal * (1 + 1e-9));
      if (factor == 1.0) CHECK(warm.result.passes <= 2);
      cold_passes += cold.result.passes;
      warm_passes += warm.result.passes;
    }
  }
  CHECK(2 * warm_passes < cold_passes);
}

TEST_CASE("n_slack passes planes on between hard margins and a finite C under margin rescaling") {
  for (const Setting& setting : cutting_plane_settings()) {
    const Formulation& formulation = setting.formulation;
    const bool margin = formulation.rescaling == Rescaling::margin;
    if (setting.joint || !margin || !formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    const Setting soft = under(setting, 20);
    // problem_of() gives soft settings another problem.
    const auto solve = [&](const Setting& one, Checkpoints& checkpoints) {
      ListedProblem problem = problem_of(setting);
      Recorder recorder;
      return solver_of(one, until(one))->solve(problem, recorder, {}, checkpoints);
    };
    for (const auto& [from, to] : {std::pair{setting, soft}, std::pair{soft, setting}}) {
      KeptCheckpoints first;
      solve(from, first);
      MemoryReader state(first.kept.back().state);
      ListedProblem problem = problem_of(setting);
      WarmCheckpoints second(solver_of(from, until(from))->recall(problem, state).value());
      Checkpoints none;
      const Result cold = solve(to, none);
      const Result warm = solve(to, second);
      CHECK(warm.certified);
      CHECK(std::abs(warm.primal - cold.primal) <= cold.gap + warm.gap + 1e-9);
    }
  }
}

TEST_CASE("a run that began with planes goes on from any of its checkpoints with the same bits") {
  for (const Setting& setting : cutting_plane_settings()) {
    if (setting.formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    WarmCheckpoints checkpoints(planes_of(under(setting, 0.3 * setting.formulation.C)));
    const Outcome whole = run(setting, checkpoints);
    for (const KeptCheckpoints::Kept& kept : checkpoints.kept) {
      CAPTURE(kept.reported);
      KeptCheckpoints earlier(kept.state);
      const Outcome rest = run(setting, earlier);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.dual == whole.result.dual);
    }
  }
}

TEST_CASE("a run that is stopped before or in its first pass keeps the planes it began with") {
  for (const Setting& setting : cutting_plane_settings()) {
    if (setting.formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    const Setting earlier = under(setting, 0.3 * setting.formulation.C);
    WarmCheckpoints undisturbed(planes_of(earlier));
    const Outcome whole = run(setting, undisturbed);
    std::int64_t resumed = 0;
    for (std::int64_t polls = 1; polls < 40; ++polls) {
      WarmCheckpoints stopped(planes_of(earlier));
      ListedProblem problem = problem_of(setting);
      Recorder recorder;
      const Result result =
          solver_of(setting, until(setting))->solve(problem, recorder, after_polls(polls), stopped);
      if (result.passes > 0) break;
      REQUIRE(!stopped.kept.empty());
      KeptCheckpoints state(stopped.kept.back().state);
      const Outcome rest = run(setting, state);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      ++resumed;
    }
    CHECK(resumed > 0);
  }
}

TEST_CASE("alpha is kept as far as the new cap allows, along its ray") {
  // Along t (1, 0.5): D(t) = 5 t - 0.625 t^2, best at t = 4.
  for (const auto& [cap, factor] :
       {std::pair{0.5, 0.5}, std::pair{2.0, 2.0}, std::pair{10.0, 4.0}}) {
    CAPTURE(cap);
    WorkingSet working_set(2, 2, SlackTerm::linear(cap));
    WorkingSet earlier(2, 2, SlackTerm::linear(1));
    earlier.add(0, PlaneVector(SparseVector{{0}, {1.0}}), 4, 7);
    earlier.add(1, PlaneVector(SparseVector{{1}, {1.0}}), 2, 8);
    earlier.block(0).alpha = {0, 1};
    earlier.block(1).alpha = {0.5, 0.5};
    begin_with(working_set, std::move(earlier));
    CHECK(working_set.plane_count() == 2);
    CHECK(working_set.block(0).output[1] == 7);
    CHECK(working_set.block(0).alpha[1] == doctest::Approx(factor));
    CHECK(working_set.block(0).alpha[0] == doctest::Approx(cap - factor));
    CHECK(working_set.block(1).alpha[1] == doctest::Approx(0.5 * factor));
    CHECK(working_set.w()[0] == doctest::Approx(factor));
    CHECK(working_set.dual() == doctest::Approx(5 * factor - 0.625 * factor * factor));
  }
}
