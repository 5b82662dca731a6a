// n_slack and one_slack under every formulation, compared with reference solvers that get all
// constraints at once.

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "base/failure.hpp"
#include "core/solver/least_distance.hpp"
#include "core/solver/listed_problem.hpp"
#include "core/solver/projected_gradient.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The solver, and how many examples n_slack asks at a time: all, 4, or 1 (Algorithm 1 of 2005).
enum class Variant { n_slack, batches, single, one_slack };
constexpr Variant variants[] = {Variant::n_slack, Variant::batches, Variant::single,
                                Variant::one_slack};

Result solve_as(Variant variant, ListedProblem& problem, const Formulation& formulation,
                const StopOptions& stop, Recorder& recorder, const StopRequest& request = {}) {
  if (variant == Variant::one_slack) {
    OneSlackOptions options;
    options.formulation = formulation;
    options.stop = stop;
    return OneSlack(options).solve(problem, recorder, request);
  }
  NSlackOptions options;
  options.formulation = formulation;
  options.stop = stop;
  options.batch = variant == Variant::single ? 1 : variant == Variant::batches ? 4 : 0;
  return NSlack(options).solve(problem, recorder, request);
}

StopOptions within(double relative_gap) {
  StopOptions stop;
  stop.relative_gap = relative_gap;
  return stop;
}

struct Bounds {
  double primal;
  double dual;
};

// Bounds on the optimum, from a reference solver that has all constraints. `primal` is P over all
// constraints at the w of that solver, `dual` is D at its multipliers.
Bounds reference(const ListedProblem& problem, const Formulation& formulation) {
  const auto dimension = static_cast<std::size_t>(problem.dimension());
  const auto n = static_cast<double>(problem.example_count());
  if (formulation.slack_norm == 1 && !formulation.is_hard_margin()) {
    const ReferenceSolution found =
        solve_by_projected_gradient(problem.examples, dimension, formulation.C / n, problem.bounds);
    return {problem.primal(Vector(found.w.begin(), found.w.end()), formulation), found.dual};
  }
  const double ridge = formulation.is_hard_margin() ? 0 : n / formulation.C;
  const auto found = solve_least_distance(problem.examples, dimension, ridge, problem.bounds);
  REQUIRE(found.has_value());
  const double* const w = found->w.data();
  return {problem.primal(Vector(w, w + dimension), formulation), found->dual};
}

// True if a differs from b by at most this part of b. The limit of doctest::Approx is this part of
// 1 + b, which is too much if C is small.
bool near(double a, double b, double part) {
  return std::abs(a - b) <= part * std::abs(b);
}

std::vector<ListedProblem> separable_problems() {
  std::vector<ListedProblem> list;
  list.push_back(random_multiclass(1, 30, 5, 4));
  list.push_back(random_multiclass(2, 8, 6, 3));
  list.push_back(random_chain(3, 4, 4, 3, 4));
  list.push_back(random_chain(4, 1, 5, 3, 2));
  return list;
}

std::string name_of(const Formulation& formulation) {
  return std::string(formulation.rescaling == Rescaling::slack ? "slack" : "margin") + ", norm " +
         std::to_string(formulation.slack_norm) + ", C = " + std::to_string(formulation.C);
}

// Both rescalings and both norms, under each C.
std::vector<Formulation> formulations(std::initializer_list<double> values_of_c) {
  std::vector<Formulation> list;
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const int norm : {1, 2}) {
      for (const double C : values_of_c) list.push_back({rescaling, norm, C});
    }
  }
  return list;
}

// Two thirds of the weights must not be negative.
void bound_some(ListedProblem& problem) {
  for (std::int64_t j = 0; j < problem.dimension(); ++j) problem.bounds.push_back(j % 3 != 1);
}

void check_reports(const Recorder& recorder, const Bounds& optimum) {
  REQUIRE(!recorder.reports.empty());
  double dual = 0;
  for (const PassReport& report : recorder.reports) {
    CHECK(report.dual <= optimum.primal * (1 + 1e-8));
    CHECK(report.dual >= dual);
    CHECK(report.primal_high >= optimum.dual * (1 - 1e-8));
    CHECK(report.primal_low <= report.primal_high);
    CHECK(report.gap >= 0);
    CHECK(report.relative_gap >= 0);
    if (report.certified) CHECK(report.best_primal >= optimum.dual * (1 - 1e-8));
    dual = report.dual;
  }
}

void check_certified(const ListedProblem& problem, const Formulation& formulation,
                     const Result& result, const Bounds& optimum) {
  CHECK(result.certified);
  CHECK(result.reached);
  CHECK(result.uncertified_reason == UncertifiedReason::none);
  CHECK(result.stopped_by == StoppedBy::relative_gap);
  CHECK(near(result.primal, optimum.primal, 1e-6));
  CHECK(near(result.dual, optimum.dual, 1e-6));
  CHECK(near(problem.primal(result.w, formulation), result.primal, 1e-10));
  for (std::size_t j = 0; j < problem.bounds.size(); ++j) {
    if (problem.bounds[j] != 0) CHECK(result.w[j] >= 0);
  }
}

}  // namespace

TEST_CASE("every formulation reaches the optimum over all constraints, and no pass claims more") {
  for (const ListedProblem& made : separable_problems()) {
    for (const Formulation& formulation : formulations({0.1, 1, 30, infinity})) {
      // Projected gradient, the reference under norm 1, takes minutes if alpha is hardly bounded.
      if (formulation.slack_norm == 1 && formulation.C == 30) continue;
      for (const bool bounded : {false, true}) {
        ListedProblem problem = made.under(formulation);
        if (bounded) bound_some(problem);
        CAPTURE(name_of(formulation));
        CAPTURE(problem.example_count());
        CAPTURE(bounded);
        const Bounds optimum = reference(problem, formulation);
        REQUIRE(optimum.primal - optimum.dual <= 1e-7 * optimum.primal);
        for (const Variant variant : variants) {
          CAPTURE(static_cast<int>(variant));
          Recorder recorder;
          const Result result = solve_as(variant, problem, formulation, within(5e-7), recorder);
          check_certified(problem, formulation, result, optimum);
          check_reports(recorder, optimum);
        }
      }
    }
  }
}

TEST_CASE("slack norm 2 reaches the optimum on data that no weights separate") {
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const double C : {1.0, 100.0}) {
      const Formulation formulation{rescaling, 2, C};
      ListedProblem problem = random_chain(3, 15, 4, 3, 4).under(formulation);
      const Bounds optimum = reference(problem, formulation);
      REQUIRE(optimum.primal - optimum.dual <= 1e-7 * optimum.primal);
      for (const Variant variant : variants) {
        Recorder recorder;
        const double target = variant == Variant::one_slack && C == 100 ? 1e-5 : 5e-7;
        const Result result = solve_as(variant, problem, formulation, within(target), recorder);
        CHECK(result.reached);
        CHECK(near(result.primal, optimum.primal, 2 * target));
        CHECK(near(result.dual, optimum.dual, 2 * target));
        CHECK(near(problem.primal(result.w, formulation), result.primal, 1e-10));
        check_reports(recorder, optimum);
      }
    }
  }
}

// Both norms make the same planes (dpsi, 1). So the test holds that the solver ignores the norm, as
// the planes do.
TEST_CASE("the slack norm changes no bit of the optimum of slack rescaling under hard margin") {
  ListedProblem made = random_multiclass(1, 30, 5, 4);
  const Formulation first{Rescaling::slack, 1, infinity};
  const Formulation second{Rescaling::slack, 2, infinity};
  ListedProblem problem = made.under(first);
  ListedProblem other = made.under(second);
  Recorder recorder;
  const Result result = solve_as(Variant::n_slack, problem, first, within(1e-6), recorder);
  const Result other_result = solve_as(Variant::n_slack, other, second, within(1e-6), recorder);
  CHECK(result.primal == other_result.primal);
  CHECK(near(result.primal, reference(problem, first).primal, 2e-6));
}

TEST_CASE("a run with a relative gap of 0 ends with an exact QP, for any C") {
  for (const ListedProblem& made : separable_problems()) {
    for (const Formulation& formulation : formulations({2, infinity})) {
      ListedProblem problem = made.under(formulation);
      CAPTURE(name_of(formulation));
      Recorder recorder;
      const Result result = solve_as(Variant::n_slack, problem, formulation, within(0), recorder);
      CHECK(result.certified);
      CHECK(result.relative_gap <= 1e-7);
      CHECK((result.stopped_by == StoppedBy::oracle_exhausted || result.gap == 0));
    }
  }
}

TEST_CASE("the optimum under a large C approaches that of hard margin from below") {
  for (const ListedProblem& made : separable_problems()) {
    for (const int norm : {1, 2}) {
      const Formulation hard{Rescaling::margin, norm, infinity};
      ListedProblem problem = made.under(hard);
      const double limit = reference(problem, hard).primal;
      double last = 0;
      for (const double C : {1e2, 1e4, 1e6, 1e9, 1e12}) {
        if (norm == 1 && C > 1e6) continue;  // C times rounding would exceed 1e-6 of P
        CAPTURE(norm);
        CAPTURE(C);
        Recorder recorder;
        const Formulation soft{Rescaling::margin, norm, C};
        const Result result = solve_as(Variant::n_slack, problem, soft, within(1e-6), recorder);
        CHECK(result.reached);
        CHECK(result.dual <= limit * (1 + 1e-9));
        CHECK(result.primal >= last);
        last = result.dual;
      }
      CHECK(near(last, limit, 2e-6));
    }
  }
}

TEST_CASE("the optimum under a tiny C is P at w = 0, the mean cost of the largest losses") {
  for (const Formulation& formulation : formulations({1e-9})) {
    CAPTURE(name_of(formulation));
    ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
    const Vector zero(static_cast<std::size_t>(problem.dimension()), 0.0);
    const double primal_at_zero = problem.primal(zero, formulation);
    for (const Variant variant : {Variant::n_slack, Variant::one_slack}) {
      Recorder recorder;
      const Result result = solve_as(variant, problem, formulation, within(1e-6), recorder);
      CHECK(result.reached);
      CHECK(near(result.primal, primal_at_zero, 1e-6));
    }
  }
}

TEST_CASE("inactive bounds on weights change nothing, and active bounds raise the optimum") {
  // Inactive: w_j >= 0 where w_j is positive at the optimum without bounds.
  for (const Formulation& formulation : formulations({5, infinity})) {
    CAPTURE(name_of(formulation));
    ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
    Recorder recorder;
    for (const Variant variant : {Variant::n_slack, Variant::one_slack}) {
      problem.bounds.clear();
      const Result free = solve_as(variant, problem, formulation, within(1e-7), recorder);
      for (const double value : free.w) problem.bounds.push_back(value > 0 ? 1 : 0);
      const Result inactive = solve_as(variant, problem, formulation, within(1e-7), recorder);
      CHECK(near(inactive.primal, free.primal, 1e-6));
      problem.bounds.assign(free.w.size(), 1);
      const Result active = solve_as(variant, problem, formulation, within(1e-7), recorder);
      CHECK(active.dual > free.primal * (1 + 1e-3));
    }
  }
}

TEST_CASE("a run without upper bounds is not certified under any formulation") {
  for (const Formulation& formulation : formulations({3, infinity})) {
    CAPTURE(name_of(formulation));
    ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
    const Bounds optimum = reference(problem, formulation);
    problem.exact = false;
    for (const Variant variant : {Variant::n_slack, Variant::one_slack}) {
      Recorder recorder;
      const Result result = solve_as(variant, problem, formulation, within(1e-6), recorder);
      CHECK_FALSE(result.certified);
      CHECK_FALSE(result.reached);
      CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
      CHECK_FALSE(result.primal_high.has_value());
      CHECK(result.primal == result.primal_low);
      CHECK(near(result.primal, optimum.primal, 2e-6));
      for (const PassReport& report : recorder.reports) CHECK(report.primal_high == infinity);
    }
  }
}

TEST_CASE("epsilon bounds the violations of the last pass and the corresponding gap") {
  for (const Formulation& formulation : formulations({20, infinity})) {
    for (const Variant variant : variants) {
      CAPTURE(name_of(formulation));
      CAPTURE(static_cast<int>(variant));
      ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
      const Bounds optimum = reference(problem, formulation);
      StopOptions stop = within(0);
      stop.epsilon = 0.01;
      Recorder recorder;
      const Result result = solve_as(variant, problem, formulation, stop, recorder);
      CHECK((result.stopped_by == StoppedBy::epsilon || result.gap == 0));
      CHECK(result.reached);
      check_reports(recorder, optimum);
      if (formulation.is_hard_margin()) {
        double worst = 0;
        double sum = 0;
        for (const auto& example : problem.examples) {
          double slack = 0;
          for (const Plane& plane : example) {
            slack = std::max(slack, plane.b - dot(plane.a, result.w));
          }
          worst = std::max(worst, slack);
          sum += slack;
        }
        CHECK((variant == Variant::one_slack ? sum / 30 : worst) <= 0.01 * (1 + 1e-9));
      } else if (formulation.slack_norm == 1 || variant == Variant::one_slack) {
        CHECK(result.gap <= formulation.C * 0.01 * (1 + 1e-9));
      } else {
        const double mean = recorder.reports.back().mean_slack;
        CHECK(result.gap <= formulation.C * (0.01 * mean + 0.5 * 0.01 * 0.01) * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("a stop request ends the run under every formulation, and all claims are true") {
  for (const Formulation& formulation : formulations({20, infinity})) {
    for (const Variant variant : variants) {
      CAPTURE(name_of(formulation));
      CAPTURE(static_cast<int>(variant));
      ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
      const Bounds optimum = reference(problem, formulation);
      for (int at = 1; at < 400; at += 1 + at / 5) {
        Recorder recorder;
        int polls = 0;
        const Result result = solve_as(variant, problem, formulation, within(0), recorder,
                                       [&] { return ++polls >= at; });
        CHECK(polls <= at + 1);
        CHECK(result.dual <= optimum.primal * (1 + 1e-8));
        CHECK(result.gap >= 0);
        CHECK(result.relative_gap >= 0);
        if (!result.certified) continue;
        CHECK(near(problem.primal(result.w, formulation), result.primal, 1e-9));
      }
    }
  }
}

TEST_CASE("two equal runs give the same bits under every formulation") {
  for (const Formulation& formulation : formulations({5, infinity})) {
    for (const Variant variant : {Variant::batches, Variant::one_slack}) {
      ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
      bound_some(problem);
      Recorder recorder;
      const Result first = solve_as(variant, problem, formulation, within(1e-5), recorder);
      const Result second = solve_as(variant, problem, formulation, within(1e-5), recorder);
      CHECK(first.w == second.w);
      CHECK(first.primal == second.primal);
      CHECK(first.dual == second.dual);
    }
  }
}
