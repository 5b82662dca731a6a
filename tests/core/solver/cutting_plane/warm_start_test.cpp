// Runs that begin with the planes of a run under another C, compared with runs that begin with no
// planes.

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

// A run with these checkpoints begins with `planes`.
class WarmCheckpoints : public KeptCheckpoints {
 public:
  explicit WarmCheckpoints(WorkingSet planes)
      : KeptCheckpoints("", true), planes_(std::move(planes)) {}
  WorkingSet* warm_start_planes() override { return &planes_; }

 private:
  WorkingSet planes_;
};

Outcome run_with(const Setting& setting, KeptCheckpoints& checkpoints) {
  ListedProblem problem = problem_of(setting);
  return run(*solver_of(setting, until(setting)), problem, checkpoints);
}

// The planes of a run with these settings.
WorkingSet planes_of(const Setting& setting) {
  MemoryReader state(run(setting, until(setting)).kept.back().state);
  ListedProblem problem = problem_of(setting);
  return solver_of(setting, until(setting))->load_working_set(problem, state).value();
}

Setting with_c(Setting setting, double C) {
  setting.formulation.C = C;
  return setting;
}

Setting with_gap(Setting setting, double relative_gap) {
  setting.relative_gap = relative_gap;
  return setting;
}

}  // namespace

TEST_CASE("a run with the planes of another C reaches the same optimum in fewer passes") {
  struct Passes {
    std::int64_t cold = 0;
    std::int64_t warm = 0;
  } of_slack_solvers, of_frank_wolfe;
  for (const Setting& setting : settings()) {
    if (setting.formulation.is_hard_margin()) continue;
    const Outcome cold = run(setting, until(setting));
    for (const double factor : {0.5, 1.0, 3.0}) {
      CAPTURE(setting.name);
      CAPTURE(factor);
      WarmCheckpoints checkpoints(planes_of(with_c(setting, factor * setting.formulation.C)));
      const Outcome warm = run_with(setting, checkpoints);
      CHECK(warm.result.certified);
      REQUIRE(!warm.reports.empty());
      CHECK(warm.reports.front().certified);
      CHECK(warm.reports.front().dual > 0);
      const double both = cold.result.gap + warm.result.gap + 1e-9;
      CHECK(std::abs(warm.result.primal - cold.result.primal) <= both);
      CHECK(warm.result.dual <= cold.result.primal * (1 + 1e-9));
      // The first pass is at the w of alpha. The earlier run may have proved its primal at another
      // w: a mean, that of an earlier pass, or the end of the Newton steps. Under the same C one or
      // two more passes are enough, and frank_wolfe needs some more.
      const bool is_averaged = setting.frank_wolfe && setting.frank_wolfe->averaging;
      const std::int64_t speedup = setting.frank_wolfe ? 3 : 5;
      const bool is_fast =
          warm.result.passes <= 3 || speedup * warm.result.passes <= cold.result.passes;
      if (factor == 1.0 && !is_averaged) CHECK(is_fast);
      // frank_wolfe needs many steps from the alpha of a larger C.
      if (setting.frank_wolfe && factor > 1) continue;
      Passes& passes = setting.frank_wolfe ? of_frank_wolfe : of_slack_solvers;
      passes.cold += cold.result.passes;
      passes.warm += warm.result.passes;
    }
  }
  CHECK(2 * of_slack_solvers.warm < of_slack_solvers.cold);
  CHECK(2 * of_frank_wolfe.warm < of_frank_wolfe.cold);
}

TEST_CASE("frank_wolfe can begin with planes of n_slack, and n_slack with those of frank_wolfe") {
  const std::vector<Setting> all = settings();
  for (const Setting& frank_wolfe : all) {
    if (!frank_wolfe.frank_wolfe) continue;
    CAPTURE(frank_wolfe.name);
    Setting n_slack = frank_wolfe;
    n_slack.frank_wolfe.reset();
    Setting exact = with_gap(n_slack, 1e-7);
    exact.max_planes_megabytes.reset();
    const double optimum = run(exact, until(exact)).result.primal;
    for (const auto& [from, to] :
         {std::pair{n_slack, frank_wolfe}, std::pair{frank_wolfe, n_slack}}) {
      WarmCheckpoints checkpoints(planes_of(with_c(from, 0.5 * from.formulation.C)));
      const Outcome warm = run_with(to, checkpoints);
      CHECK(warm.reports.front().certified);
      CHECK(warm.result.reached);
      CHECK(warm.result.primal <= optimum * (1 + 1.1 * to.relative_gap));
      CHECK(warm.result.primal >= optimum * (1 - 1e-6));
    }
  }
}

TEST_CASE("frank_wolfe reaches the same P up to 1e-4 from the planes of another C") {
  for (Setting setting : frank_wolfe_settings()) {
    if (setting.frank_wolfe->step == FrankWolfeStep::toward) continue;  // too slow
    CAPTURE(setting.name);
    setting = with_gap(setting, 2e-5);
    const Result cold = run(setting, until(setting)).result;
    WarmCheckpoints checkpoints(planes_of(with_c(setting, 0.1 * setting.formulation.C)));
    const Outcome warm = run_with(setting, checkpoints);
    CHECK(cold.reached);
    CHECK(warm.result.reached);
    CHECK(warm.result.primal == doctest::Approx(cold.primal).epsilon(1e-4));
    for (const PassReport& report : warm.reports) CHECK(std::isfinite(report.best_primal));
  }
}

TEST_CASE("n_slack uses planes of hard margins under a finite C, and the reverse") {
  for (const Setting& setting : settings()) {
    const Formulation& formulation = setting.formulation;
    const bool margin = formulation.rescaling == Rescaling::margin;
    if (setting.joint || !margin || !formulation.is_hard_margin()) continue;
    CAPTURE(setting.name);
    const Setting soft = with_c(setting, 20);
    // problem_of() gives soft settings another problem.
    const auto solve = [&](const Setting& chosen, Checkpoints& checkpoints) {
      ListedProblem problem = problem_of(setting);
      Recorder recorder;
      return solver_of(chosen, until(chosen))->solve(problem, recorder, {}, checkpoints);
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

// True for the first 10 checkpoints, which are closest to the planes that a run began with, and for
// about 20 others. Runs from all checkpoints would take half a minute.
bool is_chosen(std::size_t number, std::size_t count) {
  return number < 10 || number + 1 == count || number % (count / 20 + 1) == 0;
}

TEST_CASE("a run that began with planes resumes from its checkpoints with the same bits") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.is_hard_margin()) continue;
    CAPTURE(setting.name);
    WarmCheckpoints checkpoints(planes_of(with_c(setting, 0.3 * setting.formulation.C)));
    const Outcome whole = run_with(setting, checkpoints);
    for (std::size_t k = 0; k < checkpoints.kept.size(); ++k) {
      if (!is_chosen(k, checkpoints.kept.size())) continue;
      CAPTURE(checkpoints.kept[k].reported_passes);
      KeptCheckpoints earlier(checkpoints.kept[k].state);
      const Outcome rest = run_with(setting, earlier);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      CHECK(rest.result.dual == whole.result.dual);
    }
  }
}

TEST_CASE("a run that is stopped in its first pass keeps the planes that it began with") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.is_hard_margin()) continue;
    CAPTURE(setting.name);
    const Setting earlier = with_c(setting, 0.3 * setting.formulation.C);
    WarmCheckpoints uninterrupted(planes_of(earlier));
    const Outcome whole = run_with(setting, uninterrupted);
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
      const Outcome rest = run_with(setting, state);
      CHECK(rest.result.w == whole.result.w);
      CHECK(rest.result.passes == whole.result.passes);
      ++resumed;
    }
    CHECK(resumed > 0);
  }
}

TEST_CASE("imported alpha is multiplied by the best factor that the new cap allows") {
  // alpha = t (1, 0.5) has D(t) = 5 t - 0.625 t^2, which is largest at t = 4.
  for (const double cap : {0.5, 2.0, 10.0}) {
    CAPTURE(cap);
    const double factor = std::min(cap, 4.0);
    WorkingSet working_set(2, 2, SlackTerm::linear(cap));
    WorkingSet earlier(2, 2, SlackTerm::linear(1));
    earlier.add(0, PlaneVector(SparseVector{{0}, {1.0}}), 4, 7);
    earlier.add(1, PlaneVector(SparseVector{{1}, {1.0}}), 2, 8);
    earlier.block(0).alpha = {0, 1};
    earlier.block(1).alpha = {0.5, 0.5};
    import_planes(working_set, std::move(earlier));
    CHECK(working_set.plane_count() == 2);
    CHECK(working_set.block(0).key[1] == 7);
    CHECK(working_set.block(0).alpha[1] == doctest::Approx(factor));
    CHECK(working_set.block(0).alpha[0] == doctest::Approx(cap - factor));
    CHECK(working_set.block(1).alpha[1] == doctest::Approx(0.5 * factor));
    CHECK(working_set.w().dense()[0] == doctest::Approx(factor));
    CHECK(working_set.dual() == doctest::Approx(5 * factor - 0.625 * factor * factor));
  }
}

TEST_CASE("the first pass of a run that begins with one plane asks all examples at one w") {
  class FirstQuery : public ListedProblem {
   public:
    explicit FirstQuery(const ListedProblem& listed) : ListedProblem(listed) {}
    void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                  std::vector<Separation>& out) override {
      if (calls == 0) first_count = numbers.size();
      ListedProblem::separate(w, numbers, pass, out);
    }
    std::size_t first_count = 0;
  };
  const Setting setting{"n_slack", {Rescaling::margin, 1, 20}, false, 4};
  for (const int planes : {0, 1}) {
    CAPTURE(planes);
    FirstQuery problem(problem_of(setting));
    WorkingSet known(problem.example_count(), problem.dimension(), SlackTerm::linear(20.0 / 14));
    if (planes == 1) {
      const Plane& plane = problem.examples[0][5];
      REQUIRE(plane.b > 0);
      known.add(0, PlaneVector(plane.a), plane.b, 5);
    }
    WarmCheckpoints checkpoints(std::move(known));
    CHECK(run(*solver_of(setting, until(setting)), problem, checkpoints).result.certified);
    CHECK(problem.first_count == (planes == 1 ? 14 : 4));
  }
}
