// What the check of planes finds at one w, compared with sums over all listed outputs.

#include "verify/plane_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// A problem, and a working set of n_slack with the planes of every third output.
struct Case {
  explicit Case(const Formulation& by)
      : formulation(by), problem(random_chain(12, 9, 3, 2, 3).under(by)) {
    planes = std::make_unique<WorkingSet>(problem.example_count(), problem.dimension(),
                                          SlackTerm::linear(1));
    for (std::int64_t i = 0; i < problem.example_count(); ++i) {
      for (std::size_t y = 0; y < outputs(i).size(); y += 3) add(i, outputs(i)[y], y);
    }
    w.resize(static_cast<std::size_t>(problem.dimension()));
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = 0.3 * std::sin(3.0 * static_cast<double>(j));
  }

  const std::vector<Plane>& outputs(std::int64_t example) const {
    return problem.examples[static_cast<std::size_t>(example)];
  }
  void add(std::int64_t block, const Plane& plane, std::uint64_t output) {
    planes->add(block, PlaneVector(plane.a), plane.b, output);
  }
  double violation(const Plane& plane) const { return plane.b - dot(plane.a, w); }  // at w

  PlaneCheck plane_check(bool joint = false) {
    return {problem,
            {formulation, planes.get(), joint},
            [](const EvaluationPoint&, std::int64_t, std::int64_t) {}};
  }
  MeanSlackBounds ask(PlaneCheck& plane_check) { return plane_check.ask_oracle({w, "w", 1}); }

  Formulation formulation;
  ListedProblem problem;
  std::unique_ptr<WorkingSet> planes;
  Vector w;
};

// Mean costs: of the worst of all outputs, and of the worst one in the working set.
struct Means {
  double all = 0;
  double known = 0;
  std::int64_t repeated = 0;  // examples whose worst output is in the working set
};

Means means_of(const Case& setup) {
  Means means;
  const auto cost = [&](double slack) {
    return setup.formulation.slack_norm == 2 ? slack * slack / 2 : slack;
  };
  const auto n = static_cast<double>(setup.problem.example_count());
  for (std::int64_t i = 0; i < setup.problem.example_count(); ++i) {
    double all = 0;
    double known = 0;
    std::size_t worst = 0;
    for (std::size_t y = 0; y < setup.outputs(i).size(); ++y) {
      const double violation = setup.violation(setup.outputs(i)[y]);
      if (violation > setup.violation(setup.outputs(i)[worst])) worst = y;
      all = std::max(all, violation);
      if (y % 3 == 0) known = std::max(known, violation);
    }
    if (worst % 3 == 0) ++means.repeated;
    means.all += cost(all) / n;
    means.known += cost(known) / n;
  }
  return means;
}

}  // namespace

TEST_CASE(
    "the means of the check of planes are the mean costs of all outputs and of the known ones") {
  for (const int norm : {1, 2}) {
    CAPTURE(norm);
    Case setup({Rescaling::margin, norm, 20});
    PlaneCheck plane_check = setup.plane_check();
    const MeanSlackBounds found = setup.ask(plane_check);
    const Means means = means_of(setup);
    REQUIRE(means.known > 0);
    REQUIRE(means.known < means.all);
    CHECK(found.low_by_answers == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.low_by_planes == doctest::Approx(means.known).epsilon(1e-12));
    CHECK(found.low == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.high == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.unbounded_count == 0);
    CHECK(plane_check.oracle_calls() == setup.problem.example_count());
    CHECK(plane_check.comparison_count() == setup.planes->plane_count());
    CHECK(means.repeated > 0);
    CHECK(plane_check.repeated_output_count() == means.repeated);
    CHECK(plane_check.contradiction_count() == 0);
  }
}

TEST_CASE(
    "the lower bound of the check of planes includes planes whose outputs the oracle missed") {
  Case setup({Rescaling::margin, 1, 20});
  const Means means = means_of(setup);
  setup.problem.exact = false;
  setup.problem.searched_outputs = 1;  // the first one, which is also in the working set
  PlaneCheck plane_check = setup.plane_check();
  const MeanSlackBounds found = setup.ask(plane_check);
  CHECK(found.low_by_answers < found.low_by_planes);
  CHECK(found.low_by_planes == doctest::Approx(means.known).epsilon(1e-12));
  CHECK(found.low == found.low_by_planes);
  CHECK(std::isinf(found.high));
  CHECK(found.unbounded_count == setup.problem.example_count());
  CHECK(plane_check.comparison_count() == 0);  // planes are compared with upper bounds only
  CHECK(plane_check.contradiction_count() == 0);
}

TEST_CASE("the check of planes names five false planes and counts the others") {
  Case setup({Rescaling::margin, 1, 20});
  for (std::int64_t i = 0; i < setup.problem.example_count(); ++i) {
    setup.planes->block(i).b[1] += 10;
  }
  PlaneCheck plane_check = setup.plane_check();
  setup.ask(plane_check);
  // One false plane of each example, and the answers with the same output but another plane.
  CHECK(plane_check.contradiction_count() >= setup.problem.example_count());
  REQUIRE(plane_check.contradictions().size() == 5);
  CHECK(plane_check.contradictions()[0].starts_with(
      "example 0: plane 1 of the checkpoint is violated by "));
}

TEST_CASE("the check of planes compares a joint plane with the mean of all slacks") {
  Case setup({Rescaling::margin, 1, 20});
  JointSeparation joint;
  setup.problem.separate_jointly(setup.w, Pass(1), JointWeight::one, joint);
  const double mean = joint.b - dot(joint.a, setup.w);
  const auto contradictions_if_raised = [&](double more) {
    setup.planes = std::make_unique<WorkingSet>(1, setup.problem.dimension(), SlackTerm::linear(1));
    setup.planes->add(0, PlaneVector(joint.a), joint.b + more, 1);
    PlaneCheck plane_check = setup.plane_check(true);
    const MeanSlackBounds found = setup.ask(plane_check);
    CHECK(found.low_by_planes == doctest::Approx(mean + more).epsilon(1e-12));
    CHECK(found.low == std::max(found.low_by_answers, found.low_by_planes));
    CHECK(plane_check.repeated_output_count() == 0);
    return plane_check.contradiction_count();
  };
  CHECK(contradictions_if_raised(0) == 0);
  CHECK(contradictions_if_raised(-0.5 * mean) == 0);
  CHECK(contradictions_if_raised(1e-4) == 1);
}

TEST_CASE("an example without output has no cost and no contradiction in the check of planes") {
  Case setup({Rescaling::margin, 1, 20});
  const Means means = means_of(setup);
  const auto n = static_cast<double>(setup.problem.example_count());
  setup.problem.examples.emplace_back();
  setup.planes = std::make_unique<WorkingSet>(setup.problem.example_count(),
                                              setup.problem.dimension(), SlackTerm::linear(1));
  PlaneCheck plane_check = setup.plane_check();
  const MeanSlackBounds found = setup.ask(plane_check);
  CHECK(found.high == doctest::Approx(means.all * n / (n + 1)).epsilon(1e-12));
  CHECK(found.unbounded_count == 0);
  CHECK(plane_check.contradiction_count() == 0);
}

TEST_CASE(
    "under hard margin the check of planes ignores violations by rounding and counts larger ones") {
  Case setup({Rescaling::margin, 1, infinity});
  const auto cost_at = [&](double part) {
    // One example with a plane that w violates by this part of the largest b.
    setup.problem.examples = {{plane_of({1, 0}, {0, 0}, 2.0)}};
    setup.planes.reset();
    PlaneCheck plane_check = setup.plane_check();
    setup.w.assign(static_cast<std::size_t>(setup.problem.dimension()), 0.0);
    setup.ask(plane_check);
    setup.w[0] = 2.0 - part * 2.0;
    return setup.ask(plane_check).high;
  };
  CHECK(cost_at(1e-10) == 0);
  CHECK(cost_at(1e-6) / 2e-6 == doctest::Approx(1));
  CHECK(cost_at(0.5) == doctest::Approx(1));
}
