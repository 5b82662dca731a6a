// Runs that begin with the planes of a run under another C, against runs that begin with none.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/solver/outcome.hpp"
#include "core/solver/solver_settings.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/warm_start.hpp"

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

Outcome run_from(const Setting& setting, KeptCheckpoints& checkpoints) {
  ListedProblem problem = problem_of(setting);
  return run(*solver_of(setting, until(setting)), problem, checkpoints);
}

// The planes of a run with these settings.
WorkingSet planes_of(const Setting& setting) {
  MemoryReader state(run(setting, until(setting)).kept.back().state);
  ListedProblem problem = problem_of(setting);
  return solver_of(setting, until(setting))->load_working_set(problem, state).value();
}

Setting under(Setting setting, double C) {
  setting.formulation.C = C;
  return setting;
}

Setting under_gap(Setting setting, double relative_gap) {
  setting.relative_gap = relative_gap;
  return setting;
}

}  // namespace

TEST_CASE(
    "planes of another C lead to the same optimum, certified from the first pass, in fewer "
    "passes") {
  struct Passes {
    std::int64_t cold = 0;
    std::int64_t warm = 0;
  } of_cuts, of_steps;
  for (const Setting& setting : settings()) {
    if (setting.formulation.hard_margin()) continue;
    const Outcome cold = run(setting, until(setting));
    for (const double factor : {0.5, 1.0, 3.0}) {
      CAPTURE(setting.name);
      CAPTURE(factor);
      WarmCheckpoints checkpoints(planes_of(under(setting, factor * setting.formulation.C)));
      const Outcome warm = run_from(setting, checkpoints);
      CHECK(warm.result.certified);
      REQUIRE(!warm.reports.empty());
      CHECK(warm.reports.front().certified);
      CHECK(warm.reports.front().dual > 0);
      const double both = cold.result.gap + warm.result.gap + 1e-9;
      CHECK(std::abs(warm.result.primal - cold.result.primal) <= both);
      CHECK(warm.result.dual <= cold.result.primal * (1 + 1e-9));
      // The first pass asks at the w of alpha, whatever w the earlier run had proved its primal of:
      // a mean, that of an earlier pass, or where Newton steps had ended. From there a pass or two
      // behind the QP; single steps are slower.
      const bool of_mean = setting.frank_wolfe && setting.frank_wolfe->averaging;
      const std::int64_t less = setting.frank_wolfe ? 3 : 5;
      const bool at_once =
          warm.result.passes <= 3 || less * warm.result.passes <= cold.result.passes;
      if (factor == 1.0 && !of_mean) CHECK(at_once);
      // Single steps are slow to leave what a larger C had led to.
      if (setting.frank_wolfe && factor > 1) continue;
      Passes& passes = setting.frank_wolfe ? of_steps : of_cuts;
      passes.cold += cold.result.passes;
      passes.warm += warm.result.passes;
    }
  }
  CHECK(2 * of_cuts.warm < of_cuts.cold);
  CHECK(2 * of_steps.warm < of_steps.cold);
}

TEST_CASE("frank_wolfe begins with planes of n_slack, and n_slack with its") {
  const std::vector<Setting> all = settings();
  for (const Setting& frank_wolfe : all) {
    if (!frank_wolfe.frank_wolfe) continue;
    CAPTURE(frank_wolfe.name);
    Setting n_slack = frank_wolfe;
    n_slack.frank_wolfe.reset();
    Setting exact = under_gap(n_slack, 1e-7);
    exact.max_planes_megabytes.reset();
    const double optimum = run(exact, until(exact)).result.primal;
    for (const auto& [from, to] :
         {std::pair{n_slack, frank_wolfe}, std::pair{frank_wolfe, n_slack}}) {
      WarmCheckpoints checkpoints(planes_of(under(from, 0.5 * from.formulation.C)));
      const Outcome warm = run_from(to, checkpoints);
      CHECK(warm.reports.front().certified);
      CHECK(warm.result.reached);
      CHECK(warm.result.primal <= optimum * (1 + 1.1 * to.relative_gap));
      CHECK(warm.result.primal >= optimum * (1 - 1e-6));
    }
  }
}

TEST_CASE("frank_wolfe comes to the same P to 1e-4 from the planes of another C") {
  for (Setting setting : frank_wolfe_settings()) {
    if (setting.frank_wolfe->step == FrankWolfeStep::toward) continue;  // is slow, see its test
    CAPTURE(setting.name);
    setting = under_gap(setting, 2e-5);
    const Result cold = run(setting, until(setting)).result;
    WarmCheckpoints checkpoints(planes_of(under(setting, 0.1 * setting.formulation.C)));
    const Outcome warm = run_from(setting, checkpoints);
    CHECK(cold.reached);
    CHECK(warm.result.reached);
    CHECK(warm.result.primal == doctest::Approx(cold.primal).epsilon(1e-4));
    for (const PassReport& report : warm.reports) CHECK(std::isfinite(report.best_primal));
  }
}

TEST_CASE("n_slack passes planes on between hard margins and a finite C under margin rescaling") {
  for (const Setting& setting : settings()) {
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
      WarmCheckpoints second(
          solver_of(from, until(from))->load_working_set(problem, state).value());
      Checkpoints none;
      const Result cold = solve(to, none);
      const Result warm = solve(to, second);
      CHECK(warm.certified);
      CHECK(std::abs(warm.primal - cold.primal) <= cold.gap + warm.gap + 1e-9);
    }
  }
}

// The first ones, which are closest to the planes that a run began with, and twenty or so of the
// others: of all that there are a run each would take half a minute.
bool is_tried(std::size_t number, std::size_t count) {
  return number < 10 || number + 1 == count || number % (count / 20 + 1) == 0;
}

TEST_CASE("a run that began with planes goes on from its checkpoints with the same bits") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    WarmCheckpoints checkpoints(planes_of(under(setting, 0.3 * setting.formulation.C)));
    const Outcome whole = run_from(setting, checkpoints);
    for (std::size_t k = 0; k < checkpoints.kept.size(); ++k) {
      if (!is_tried(k, checkpoints.kept.size())) continue;
      CAPTURE(checkpoints.kept[k].reported);
      KeptCheckpoints earlier(checkpoints.kept[k].state);
      const Outcome rest = run_from(setting, earlier);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.dual == whole.result.dual);
    }
  }
}

TEST_CASE("a run that is stopped before or in its first pass keeps the planes it began with") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    const Setting earlier = under(setting, 0.3 * setting.formulation.C);
    WarmCheckpoints undisturbed(planes_of(earlier));
    const Outcome whole = run_from(setting, undisturbed);
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
      const Outcome rest = run_from(setting, state);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      ++resumed;
    }
    CHECK(resumed > 0);
  }
}

TEST_CASE("alpha is kept as far as the new cap allows, along its ray") {
  // Along t (1, 0.5): D(t) = 5 t - 0.625 t^2, best at t = 4.
  for (const double cap : {0.5, 2.0, 10.0}) {
    CAPTURE(cap);
    const double factor = std::min(cap, 4.0);
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
    CHECK(working_set.w().dense()[0] == doctest::Approx(factor));
    CHECK(working_set.dual() == doctest::Approx(5 * factor - 0.625 * factor * factor));
  }
}

TEST_CASE("with a single plane to begin with the first pass asks all examples at its w") {
  class Noted : public ListedProblem {
   public:
    explicit Noted(const ListedProblem& listed) : ListedProblem(listed) {}
    void separate(WeightView w, std::span<const std::int64_t> asked, const Pass& pass,
                  std::vector<Separation>& out) override {
      if (calls == 0) asked_first = asked.size();
      ListedProblem::separate(w, asked, pass, out);
    }
    std::size_t asked_first = 0;
  };
  const Setting setting{"n_slack", {Rescaling::margin, 1, 20}, false, 4};
  for (const int planes : {0, 1}) {
    CAPTURE(planes);
    Noted problem(problem_of(setting));
    WorkingSet known(problem.example_count(), problem.dimension(), SlackTerm::linear(20.0 / 14));
    if (planes == 1) {
      const Plane& plane = problem.examples[0][5];
      REQUIRE(plane.b > 0);
      known.add(0, PlaneVector(plane.a), plane.b, 5);
    }
    WarmCheckpoints checkpoints(std::move(known));
    CHECK(run(*solver_of(setting, until(setting)), problem, checkpoints).result.certified);
    CHECK(problem.asked_first == (planes == 1 ? 14 : 4));
  }
}
