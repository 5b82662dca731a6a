// n_slack and one_slack under margin rescaling and slack norm 1: optimum, certificate and how runs
// end.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "core/solver/listed_problem.hpp"
#include "core/solver/projected_gradient.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

NSlackOptions n_slack_with(double C, double relative_gap, std::int64_t batch = 0,
                           double frozen_below = 0.3) {
  NSlackOptions options;
  options.formulation.C = C;
  options.stop.relative_gap = relative_gap;
  options.batch = batch;
  options.frozen_below = frozen_below;
  return options;
}

OneSlackOptions one_slack_with(double C, double relative_gap) {
  OneSlackOptions options;
  options.formulation.C = C;
  options.stop.relative_gap = relative_gap;
  return options;
}

Result solve_with(ListedProblem& problem, const NSlackOptions& options) {
  Recorder recorder;
  return NSlack(options).solve(problem, recorder, {});
}

Result solve_with(ListedProblem& problem, const OneSlackOptions& options) {
  Recorder recorder;
  return OneSlack(options).solve(problem, recorder, {});
}

// The result is certified, and its P is that over all constraints.
void check_certificate(const ListedProblem& problem, const Result& result, double C) {
  CHECK(result.certified);
  CHECK(problem.primal(result.w, C) == doctest::Approx(result.primal).epsilon(1e-10));
  REQUIRE(result.primal_high.has_value());
  CHECK(*result.primal_high == result.primal);
  CHECK(result.gap == doctest::Approx(result.primal - result.dual));
  CHECK(result.relative_gap == doctest::Approx(result.gap / result.primal));
}

std::vector<ListedProblem> problems() {
  std::vector<ListedProblem> list;
  list.push_back(random_multiclass(1, 30, 5, 4));
  list.push_back(random_multiclass(2, 12, 3, 6));
  list.push_back(random_chain(3, 15, 4, 3, 4));
  list.push_back(random_chain(4, 1, 5, 3, 2));
  return list;
}

}  // namespace

TEST_CASE("n_slack and one_slack reach the optimum that projected gradient finds") {
  for (ListedProblem& problem : problems()) {
    for (const double C : {0.1, 1.0, 30.0}) {
      CAPTURE(problem.example_count());
      CAPTURE(C);
      const ReferenceSolution reference = solve_by_projected_gradient(
          problem.examples, static_cast<std::size_t>(problem.dimension()),
          C / static_cast<double>(problem.example_count()));
      REQUIRE(reference.primal - reference.dual <= 1e-7 * reference.primal);
      const Result n_slack = solve_with(problem, n_slack_with(C, 1e-7));
      const Result one_slack = solve_with(problem, one_slack_with(C, 1e-7));
      CHECK(n_slack.stopped_by == StoppedBy::relative_gap);
      CHECK(one_slack.stopped_by == StoppedBy::relative_gap);
      CHECK(n_slack.reached);
      CHECK(one_slack.reached);
      check_certificate(problem, n_slack, C);
      check_certificate(problem, one_slack, C);
      CHECK(n_slack.primal == doctest::Approx(reference.primal).epsilon(1e-6));
      CHECK(one_slack.primal == doctest::Approx(reference.primal).epsilon(1e-6));
      for (const double frozen_below : {0.0, 0.3}) {  // Algorithm 1 of 2005: w moves at each call
        const Result paper = solve_with(problem, n_slack_with(C, 1e-7, 1, frozen_below));
        CHECK(paper.stopped_by == StoppedBy::relative_gap);
        check_certificate(problem, paper, C);
        CHECK(paper.primal == doctest::Approx(reference.primal).epsilon(1e-6));
        CHECK(paper.dual <= reference.primal * (1 + 1e-9));
      }
      CHECK(n_slack.primal >= reference.dual * (1 - 1e-9));
      CHECK(one_slack.primal >= reference.dual * (1 - 1e-9));
      CHECK(n_slack.dual <= reference.primal * (1 + 1e-9));
      CHECK(one_slack.dual <= reference.primal * (1 + 1e-9));
    }
  }
}

TEST_CASE("n_slack is certified at the same optimum for every batch size") {
  for (ListedProblem& problem : problems()) {
    const Result whole = solve_with(problem, n_slack_with(3, 1e-7, 0));
    for (const std::int64_t batch : {1, 7, 1000}) {
      for (const double frozen_below : {0.0, 0.3}) {
        CAPTURE(batch);
        CAPTURE(frozen_below);
        const Result result = solve_with(problem, n_slack_with(3, 1e-7, batch, frozen_below));
        CHECK(result.stopped_by == StoppedBy::relative_gap);
        check_certificate(problem, result, 3);
        CHECK(result.primal == doctest::Approx(whole.primal).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("no report claims more than weak duality allows, and the best P and D are monotone") {
  for (ListedProblem& problem : problems()) {
    const double optimum = solve_with(problem, n_slack_with(10, 1e-9)).primal;
    for (const std::int64_t batch : {-1, 0, 4}) {  // -1: one_slack
      CAPTURE(batch);
      Recorder recorder;
      if (batch < 0) {
        OneSlack(one_slack_with(10, 1e-6)).solve(problem, recorder, {});
      } else {
        NSlack(n_slack_with(10, 1e-6, batch)).solve(problem, recorder, {});
      }
      REQUIRE(!recorder.reports.empty());
      double best = std::numeric_limits<double>::infinity();
      double dual = 0;
      std::int64_t pass = 0;
      for (const PassReport& report : recorder.reports) {
        CHECK(report.pass == ++pass);
        CHECK(report.dual <= optimum * (1 + 1e-8));
        CHECK(report.primal_high >= optimum * (1 - 1e-8));
        CHECK(report.primal_low <= report.primal_high);
        CHECK(report.best_primal >= optimum * (1 - 1e-8));
        CHECK(report.best_primal <= best);
        CHECK(report.dual >= dual);
        CHECK(report.active_planes <= report.planes);
        if (std::isfinite(report.best_primal)) {
          CHECK(report.gap == report.best_primal - report.dual);
        }
        best = report.best_primal;
        dual = report.dual;
      }
      CHECK(recorder.reports.back().oracle_calls == pass * problem.example_count());
    }
  }
}

TEST_CASE("a run without upper bounds ends exhausted and is not certified") {
  ListedProblem problem = random_chain(8, 10, 4, 3, 4);
  const Result optimum = solve_with(problem, n_slack_with(5, 1e-9));
  problem.exact = false;
  problem.searched_outputs = 60;  // of 81 outputs: under-generating
  for (const bool joint : {false, true}) {
    const Result result =
        joint ? solve_with(problem, one_slack_with(5, 0)) : solve_with(problem, n_slack_with(5, 0));
    CHECK_FALSE(result.certified);
    CHECK_FALSE(result.reached);
    CHECK_FALSE(result.primal_high.has_value());
    CHECK(result.primal == result.primal_low);
    CHECK(result.primal <= optimum.primal);
    CHECK(result.relative_gap <= 1e-9);
    // If the gap is exactly 0, the target of 0 is reached first.
    if (result.gap > 0) CHECK(result.stopped_by == StoppedBy::oracle_exhausted);
  }
  const Result loose = solve_with(problem, n_slack_with(5, 1e-3));
  CHECK(loose.stopped_by == StoppedBy::relative_gap);
  CHECK_FALSE(loose.certified);
  CHECK_FALSE(loose.reached);
}

TEST_CASE("runs in batches have the same dual in each pass with and without upper bounds") {
  std::vector<std::vector<double>> duals;
  for (const bool exact : {true, false}) {
    ListedProblem problem = random_chain(8, 40, 4, 3, 4);
    problem.exact = exact;
    Recorder recorder;
    NSlack(n_slack_with(500, 1e-2, 4)).solve(problem, recorder, {});
    CHECK(recorder.reports.size() > 3);
    duals.emplace_back();
    for (const PassReport& report : recorder.reports) duals.back().push_back(report.dual);
  }
  CHECK(duals.front() == duals.back());
}

TEST_CASE("a run is refused if an EXACT oracle misses outputs, and the example is named") {
  ListedProblem problem = random_multiclass(9, 20, 4, 5);
  // Searches all 5 outputs in the first pass, then only the first one.
  class WrongOracle : public PlaneSource {
   public:
    explicit WrongOracle(ListedProblem& inner) : inner_(inner) {}
    std::int64_t example_count() const override { return inner_.example_count(); }
    std::int64_t dimension() const override { return inner_.dimension(); }
    void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                  std::vector<Separation>& out) override {
      inner_.searched_outputs = pass.number == 1 ? 5 : 1;
      inner_.separate(w, numbers, pass, out);
    }
    void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                          JointSeparation& out) override {
      inner_.searched_outputs = pass.number == 1 ? 5 : 1;
      inner_.separate_jointly(w, pass, weight, out);
    }

    [[noreturn]] void report_contradiction(std::int64_t example,
                                           const std::string& text) const override {
      inner_.ListedProblem::report_contradiction(example, text);
    }
    [[noreturn]] void report_inseparable(std::span<const std::int64_t> examples,
                                         const std::string& text) const override {
      inner_.ListedProblem::report_inseparable(examples, text);
    }

   private:
    ListedProblem& inner_;
  };
  WrongOracle wrong(problem);
  Recorder recorder;
  OneSlackOptions uncached = one_slack_with(1, 1e-6);
  uncached.cache = 0;
  // Only solvers that keep planes of single examples can name the example.
  const std::vector<std::pair<std::shared_ptr<Solver>, std::string>> solvers = {
      {std::make_shared<NSlack>(n_slack_with(1, 1e-6)), "listed: example "},
      {std::make_shared<OneSlack>(one_slack_with(1, 1e-6)), "listed: example "},
      {std::make_shared<OneSlack>(uncached), "mean over the examples"}};
  for (const auto& [solver, named] : solvers) {
    try {
      solver->solve(wrong, recorder, {});
      FAIL("a wrong claim was accepted");
    } catch (const Failure& failure) {
      CHECK(failure.exit_code() == Exit::plugin);
      const std::string text = failure.what();
      CHECK(text.find("EXACT") != std::string::npos);
      CHECK(text.find(named) != std::string::npos);
    }
  }
}

TEST_CASE("a run with a relative gap of 0 ends if no plane is new and the QP is exact") {
  for (ListedProblem& problem : problems()) {
    for (const bool joint : {false, true}) {
      const Result result = joint ? solve_with(problem, one_slack_with(2, 0))
                                  : solve_with(problem, n_slack_with(2, 0));
      CHECK(result.relative_gap <= 1e-11);
      CHECK(result.certified);
      if (result.gap > 0) {
        CHECK(result.stopped_by == StoppedBy::oracle_exhausted);
        CHECK_FALSE(result.reached);
      } else {
        CHECK(result.stopped_by == StoppedBy::relative_gap);
      }
    }
  }
}

TEST_CASE("a problem without violations has P = D = 0 and a relative gap of 0") {
  ListedProblem problem(3);
  problem.examples.assign(4, {Plane{}});  // only the truth
  for (const bool joint : {false, true}) {
    const Result result =
        joint ? solve_with(problem, one_slack_with(1, 0)) : solve_with(problem, n_slack_with(1, 0));
    CHECK(result.primal == 0);
    CHECK(result.dual == 0);
    CHECK(result.relative_gap == 0);
    CHECK(result.reached);
    CHECK(result.passes == 1);
    CHECK(result.w == Vector(3, 0.0));
  }
}

TEST_CASE("a plane with a = 0 and b > 0 adds C b / n to P and does not change w") {
  ListedProblem problem(2);
  problem.examples = {{Plane{}, Plane{{}, 2.0}}, {Plane{}, Plane{{{0}, {1.0}}, 1.0}}};
  for (const bool joint : {false, true}) {
    const Result result = joint ? solve_with(problem, one_slack_with(100, 1e-9))
                                : solve_with(problem, n_slack_with(100, 1e-9));
    CHECK(result.primal == doctest::Approx(100.0 / 2 * 2.0 + 0.5));
    CHECK(result.w[0] == doctest::Approx(1.0));
    CHECK(result.reached);
  }
}

TEST_CASE("examples without an output have no slack, but n counts them") {
  ListedProblem problem = random_multiclass(5, 10, 3, 3);
  ListedProblem padded = problem;
  padded.examples.resize(20);
  for (const bool joint : {false, true}) {
    const Result small = joint ? solve_with(problem, one_slack_with(4, 1e-8))
                               : solve_with(problem, n_slack_with(4, 1e-8));
    const Result large = joint ? solve_with(padded, one_slack_with(8, 1e-8))
                               : solve_with(padded, n_slack_with(8, 1e-8));
    CHECK(small.answers.no_output_count == 0);
    CHECK(large.answers.no_output_count == 10);
    CHECK(large.primal == doctest::Approx(small.primal).epsilon(1e-7));
  }
}

TEST_CASE("n_slack in batches has no primal until it asks all examples at one w") {
  ListedProblem problem = random_chain(6, 40, 4, 3, 4);
  Recorder recorder;
  NSlack(n_slack_with(20, 1e-4, 5, 0.0)).solve(problem, recorder, {});
  REQUIRE(recorder.reports.size() > 2);
  CHECK_FALSE(recorder.reports.front().certified);
  CHECK(recorder.reports.front().primal_high == std::numeric_limits<double>::infinity());
  CHECK(recorder.reports.back().certified);
  CHECK(recorder.reports.back().relative_gap <= 1e-4);
}

TEST_CASE("two equal runs of n_slack give the same bits") {
  for (const std::int64_t batch : {0, 5}) {
    ListedProblem problem = random_chain(7, 40, 4, 3, 4);
    const Result first = solve_with(problem, n_slack_with(20, 1e-5, batch));
    const Result second = solve_with(problem, n_slack_with(20, 1e-5, batch));
    CHECK(first.w == second.w);
    CHECK(first.primal == second.primal);
    CHECK(first.dual == second.dual);
  }
}

TEST_CASE("n_slack and one_slack reach the optimum with a small max_planes_megabytes") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    ListedProblem problem = random_multiclass(seed, 20, 5, 4);
    NSlackOptions n_slack = n_slack_with(20, 1e-4, 4);
    OneSlackOptions one_slack = one_slack_with(20, 1e-4);
    const Result unlimited = solve_with(problem, n_slack);
    const Result joint_unlimited = solve_with(problem, one_slack);
    n_slack.max_planes_megabytes = 0.008;
    one_slack.max_planes_megabytes = 0.003;
    const Result limited = solve_with(problem, n_slack);
    const Result joint = solve_with(problem, one_slack);
    check_certificate(problem, limited, 20);
    check_certificate(problem, joint, 20);
    CHECK(limited.primal == doctest::Approx(unlimited.primal).epsilon(1.1e-4));
    CHECK(joint.primal == doctest::Approx(unlimited.primal).epsilon(1.1e-4));
    CHECK(limited.planes < unlimited.planes);
    CHECK(joint.planes < joint_unlimited.planes);
  }
}

TEST_CASE("one_slack also drops planes made by the cache, if QPs leave them at alpha 0") {
  ListedProblem problem = random_multiclass(4, 120, 6, 6);
  OneSlackOptions options = one_slack_with(100, 1e-6);
  options.drop_after = 5;
  Recorder recorder;
  REQUIRE(OneSlack(options).solve(problem, recorder, {}).reached);
  std::int64_t max_idle = 0;
  for (const PassReport& report : recorder.reports) {
    max_idle = std::max(max_idle, report.planes - report.active_planes);
  }
  CHECK(max_idle < 25);
}
