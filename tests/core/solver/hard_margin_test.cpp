// Hard margin: which data are proved inseparable and which are not, and runs that a limit ends.

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "base/failure.hpp"
#include "core/solver/least_distance.hpp"
#include "core/solver/listed_problem.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

struct Settings {
  bool joint = false;  // one_slack
  std::int64_t batch = 0;
  double relative_gap = 1e-4;
  double separation_floor = 1e-6;
  std::optional<std::int64_t> max_passes;
};

template <class Options>
Options options_of(const Settings& settings, const Formulation& formulation) {
  Options options;
  options.formulation = formulation;
  options.separation_floor = settings.separation_floor;
  options.stop.relative_gap = settings.relative_gap;
  options.stop.max_passes = settings.max_passes;
  return options;
}

Result solve(ListedProblem& problem, const Formulation& formulation, const Settings& settings) {
  Recorder recorder;
  if (settings.joint) {
    return OneSlack(options_of<OneSlackOptions>(settings, formulation))
        .solve(problem, recorder, {});
  }
  auto options = options_of<NSlackOptions>(settings, formulation);
  options.batch = settings.batch;
  return NSlack(options).solve(problem, recorder, {});
}

const std::vector<Settings>& all_settings() {
  static const std::vector<Settings> list = [] {
    std::vector<Settings> made(3);
    made[1].batch = 3;
    made[2].joint = true;
    return made;
  }();
  return list;
}

std::vector<Formulation> hard_margins() {
  return {{Rescaling::margin, 1, infinity},
          {Rescaling::margin, 2, infinity},
          {Rescaling::slack, 1, infinity}};
}

// Adds the example of one row x and its class `truth`. The loss is 1 + 0.5 |y - y'|.
void add_row(ListedProblem& problem, int classes, const std::vector<double>& x, int truth) {
  const auto psi = [&](int y) {
    Vector sum(static_cast<std::size_t>(problem.dimension()), 0.0);
    for (std::size_t f = 0; f < x.size(); ++f)
      sum[static_cast<std::size_t>(y) * x.size() + f] = x[f];
    return sum;
  };
  std::vector<Plane> planes;
  for (int y = 0; y < classes; ++y) {
    planes.push_back(plane_of(psi(truth), psi(y), y == truth ? 0 : 1 + 0.5 * std::abs(y - truth)));
  }
  problem.examples.push_back(std::move(planes));
}

// Twenty rows that are easy to separate: each class has its own coordinate of x. Coordinates 0 and
// 1 are 0 in all rows.
ListedProblem easy_rows() {
  ListedProblem problem(3 * 5);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> x(5, 0.0);
    x[static_cast<std::size_t>(2 + i % 3)] = 2 + std::abs(normal(random));
    x[static_cast<std::size_t>(2 + (i + 1) % 3)] = 0.3 * normal(random);
    add_row(problem, 3, x, i % 3);
  }
  return problem;
}

// The message of a refusal, and the examples that it names.
struct RefusedExamples {
  bool refused = false;
  std::set<std::int64_t> examples;
  std::string text;
};

RefusedExamples refused_examples_of(ListedProblem& problem, const Formulation& formulation,
                                    const Settings& settings) {
  RefusedExamples refusal;
  try {
    solve(problem, formulation, settings);
  } catch (const Failure& failure) {
    refusal.refused = true;
    refusal.text = failure.what();
    CHECK(failure.exit_code() == Exit::data);
    std::istringstream words(refusal.text.substr(std::string("listed: examples").size()));
    for (std::int64_t example; words >> example;) refusal.examples.insert(example);
  }
  return refusal;
}

}  // namespace

TEST_CASE("one row with two labels is proved inseparable, and only these examples are named") {
  for (const Formulation& formulation : hard_margins()) {
    for (const Settings& settings : all_settings()) {
      CAPTURE(formulation.slack_norm);
      CAPTURE(settings.joint);
      CAPTURE(settings.batch);
      ListedProblem problem = easy_rows();
      add_row(problem, 3, {1, 0.25, 0, 1, 0}, 0);
      add_row(problem, 3, {1, 0.25, 0, 1, 0}, 1);
      problem = problem.under(formulation);
      REQUIRE_FALSE(solve_least_distance(problem.examples, 15, 0, {}).has_value());
      const RefusedExamples refusal = refused_examples_of(problem, formulation, settings);
      CHECK(refusal.refused);
      CHECK(refusal.examples == std::set<std::int64_t>{20, 21});
      CHECK(refusal.text.find("\"C\": \"inf\"") != std::string::npos);
      CHECK(refusal.text.find("finite \"C\"") != std::string::npos);
      CHECK(refusal.text.find("contradict each other") != std::string::npos);
      // A smaller separation_floor cannot help.
      CHECK(refusal.text.find("separation_floor") == std::string::npos);
    }
  }
}

TEST_CASE("three different rows are proved inseparable, and only these examples are named") {
  // A row of class 1 lies on the line between two rows of class 0. No linear rule separates them.
  for (const Formulation& formulation : hard_margins()) {
    for (const Settings& settings : all_settings()) {
      CAPTURE(formulation.slack_norm);
      CAPTURE(settings.joint);
      CAPTURE(settings.batch);
      ListedProblem problem = easy_rows();
      add_row(problem, 3, {1, 1, 0, 0, 0}, 0);
      add_row(problem, 3, {1, 0.3, 0, 0, 0}, 1);
      add_row(problem, 3, {1, -0.7, 0, 0, 0}, 0);
      problem = problem.under(formulation);
      REQUIRE_FALSE(solve_least_distance(problem.examples, 15, 0, {}).has_value());
      const RefusedExamples refusal = refused_examples_of(problem, formulation, settings);
      CHECK(refusal.refused);
      CHECK(refusal.examples == std::set<std::int64_t>{20, 21, 22});
      CHECK(refusal.text.find("contradict each other") == std::string::npos);
    }
  }
}

TEST_CASE("an example is inseparable if a wrong output has the same features as the truth") {
  for (const Formulation& formulation : hard_margins()) {
    for (const Settings& settings : all_settings()) {
      ListedProblem problem = easy_rows();
      add_row(problem, 3, {0, 0, 0, 0, 0}, 1);
      add_row(problem, 3, {0, 0, 0, 0, 0}, 1);  // the same label: the two do not contradict
      problem = problem.under(formulation);
      const RefusedExamples refusal = refused_examples_of(problem, formulation, settings);
      CHECK(refusal.refused);
      CHECK(refusal.examples == std::set<std::int64_t>{20});
      CHECK(refusal.text.find("same features as the truth") != std::string::npos);
    }
  }
}

TEST_CASE("bounds on weights can make separable data inseparable") {
  for (const Settings& settings : all_settings()) {
    const Formulation formulation{Rescaling::margin, 1, infinity};
    ListedProblem problem(2);
    problem.examples = {{Plane{}, Plane{{{0}, {1.0}}, 1.0}},
                        {Plane{}, Plane{{{0, 1}, {0.5, -1.0}}, 1.0}},
                        {Plane{}, Plane{{{1}, {-2.0}}, 1.0}}};
    CHECK(solve(problem, formulation, settings).reached);
    problem.bounds = {1, 1};
    const RefusedExamples refusal = refused_examples_of(problem, formulation, settings);
    CHECK(refusal.refused);
    CHECK(refusal.examples.count(2) == 1);
  }
}

TEST_CASE("two rows that hardly differ are separated, unless separation_floor is too large") {
  for (const Formulation& formulation : hard_margins()) {
    for (const Settings& settings : all_settings()) {
      for (const double difference : {1e-2, 1e-3, 3e-4}) {
        CAPTURE(formulation.slack_norm);
        CAPTURE(settings.joint);
        CAPTURE(difference);
        ListedProblem problem = easy_rows();
        add_row(problem, 3, {1, 1, 0, 0, 0}, 0);
        add_row(problem, 3, {1 - difference, 1 + difference, 0, 0, 0}, 1);
        problem = problem.under(formulation);
        const auto optimum = solve_least_distance(problem.examples, 15, 0, {});
        REQUIRE(optimum.has_value());
        REQUIRE(optimum->primal > 0.1 / (difference * difference));
        const Result result = solve(problem, formulation, settings);
        CHECK(result.reached);
        CHECK(result.certified);
        CHECK(result.primal == doctest::Approx(optimum->primal).epsilon(1e-4));
        CHECK(problem.primal(result.w, formulation) == doctest::Approx(result.primal));
        Settings coarse = settings;
        coarse.separation_floor = 0.1;
        CHECK(refused_examples_of(problem, formulation, coarse).refused);
      }
    }
  }
}

TEST_CASE("a run that ends before a w satisfies all margins returns the last w and no primal") {
  for (const bool joint : {false, true}) {
    const Formulation formulation{Rescaling::margin, 1, infinity};
    ListedProblem problem = random_multiclass(1, 30, 5, 4).under(formulation);
    Settings settings;
    settings.joint = joint;
    settings.max_passes = 3;
    const Result result = solve(problem, formulation, settings);
    CHECK(result.stopped_by == StoppedBy::max_passes);
    CHECK_FALSE(result.certified);
    CHECK_FALSE(result.reached);
    CHECK(result.uncertified_reason == UncertifiedReason::violated);
    CHECK(result.primal == infinity);
    CHECK(result.gap == infinity);
    CHECK(result.relative_gap == infinity);
    CHECK_FALSE(result.primal_high.has_value());
    CHECK(result.dual > 0);
    CHECK(squared_norm(result.w) > 0);
  }
}

TEST_CASE("outputs of loss 0 are constraints under margin rescaling, not under slack rescaling") {
  for (const bool joint : {false, true}) {
    ListedProblem problem(2);
    // <w, (1, 0)> >= 1, and <w, (-1, 2)> >= 0 for an output of loss 0
    problem.examples = {{Plane{}, Plane{{{0}, {1.0}}, 1.0}},
                        {Plane{}, Plane{{{0, 1}, {-1.0, 2.0}}, 0.0}}};
    Settings settings;
    settings.joint = joint;
    settings.relative_gap = 1e-7;
    const Formulation margin{Rescaling::margin, 1, infinity};
    ListedProblem margin_problem = problem.under(margin);
    const Result with = solve(margin_problem, margin, settings);
    CHECK(with.certified);
    CHECK(with.primal == doctest::Approx(0.5 * (1 + 0.25)).epsilon(1e-6));
    const Formulation slack{Rescaling::slack, 1, infinity};
    ListedProblem slack_problem = problem.under(slack);
    CHECK(solve(slack_problem, slack, settings).primal == doctest::Approx(0.5).epsilon(1e-6));
  }
}

TEST_CASE("the result has the part of P that the rounding of answers may change") {
  for (const Settings& settings : all_settings()) {
    INFO(settings.batch, ", ", settings.joint);
    ListedProblem problem = easy_rows();
    problem.rounding = 1e-9;
    // Every slack may be off by 1e-9.
    const Result soft = solve(problem, {Rescaling::margin, 1, 10}, settings);
    CHECK(soft.rounding / (10 * 1e-9) == doctest::Approx(1));
    // All slacks together may be off by 1e-9 n. w may be longer by that, divided by the largest b,
    // which is 2. The b of a joint plane is a mean over the examples, so it may be smaller.
    const Result hard = solve(problem, {Rescaling::margin, 1, infinity}, settings);
    const auto n = static_cast<double>(problem.example_count());
    const double all = n * 1e-9 * squared_norm(hard.w);
    CHECK(all / hard.rounding <= 2 + 1e-9);
    CHECK(all / hard.rounding >= (settings.joint ? 1 : 2 - 1e-9));
  }
}
