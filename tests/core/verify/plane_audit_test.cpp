// What the audit finds at one w, against sums over all listed outputs.

#include "verify/plane_audit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// A problem, and a working set with the planes of every third output, as n_slack would have them.
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
  double violation(const Plane& plane) const { return plane.b - dot(plane.a, w); }

  PlaneAudit audit(bool joint = false) {
    return {problem,
            {formulation, planes.get(), joint},
            [](const EvaluationPoint&, std::int64_t, std::int64_t) {}};
  }
  MeanSlackBounds ask(PlaneAudit& audit) { return audit.ask({w, "w", 1}); }

  Formulation formulation;
  ListedProblem problem;
  std::unique_ptr<WorkingSet> planes;
  Vector w;
};

// Of all outputs of each example, and of those that the working set has.
struct Means {
  double all = 0;
  double known = 0;
  std::int64_t found_again = 0;  // examples whose worst output the working set has
};

Means means_of(const Case& one) {
  Means means;
  const auto cost = [&](double slack) {
    return one.formulation.slack_norm == 2 ? slack * slack / 2 : slack;
  };
  const auto n = static_cast<double>(one.problem.example_count());
  for (std::int64_t i = 0; i < one.problem.example_count(); ++i) {
    double all = 0;
    double known = 0;
    std::size_t worst = 0;
    for (std::size_t y = 0; y < one.outputs(i).size(); ++y) {
      const double violation = one.violation(one.outputs(i)[y]);
      if (violation > one.violation(one.outputs(i)[worst])) worst = y;
      all = std::max(all, violation);
      if (y % 3 == 0) known = std::max(known, violation);
    }
    if (worst % 3 == 0) ++means.found_again;
    means.all += cost(all) / n;
    means.known += cost(known) / n;
  }
  return means;
}

}  // namespace

TEST_CASE("the audit's means are those of the costs of all outputs, and of the known ones") {
  for (const int norm : {1, 2}) {
    CAPTURE(norm);
    Case one({Rescaling::margin, norm, 20});
    PlaneAudit audit = one.audit();
    const MeanSlackBounds found = one.ask(audit);
    const Means means = means_of(one);
    REQUIRE(means.known > 0);
    REQUIRE(means.known < means.all);
    CHECK(found.asked == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.known == doctest::Approx(means.known).epsilon(1e-12));
    CHECK(found.both == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.high == doctest::Approx(means.all).epsilon(1e-12));
    CHECK(found.unbounded == 0);
    CHECK(audit.oracle_calls() == one.problem.example_count());
    CHECK(audit.compared() == one.planes->plane_count());
    CHECK(means.found_again > 0);
    CHECK(audit.seen_again() == means.found_again);
    CHECK(audit.refuted_count() == 0);
  }
}

TEST_CASE("an oracle that looks at fewer outputs than the checkpoint has is told what it missed") {
  Case one({Rescaling::margin, 1, 20});
  const Means means = means_of(one);
  one.problem.exact = false;
  one.problem.shown = 1;  // the first, which the working set has too
  PlaneAudit audit = one.audit();
  const MeanSlackBounds found = one.ask(audit);
  CHECK(found.asked < found.known);
  CHECK(found.known == doctest::Approx(means.known).epsilon(1e-12));
  CHECK(found.both == found.known);
  CHECK(std::isinf(found.high));
  CHECK(found.unbounded == one.problem.example_count());
  CHECK(audit.compared() == 0);  // without bounds there is nothing to hold planes against
  CHECK(audit.refuted_count() == 0);
}

TEST_CASE("of all false planes five are named, and the others counted") {
  Case one({Rescaling::margin, 1, 20});
  for (std::int64_t i = 0; i < one.problem.example_count(); ++i) one.planes->block(i).b[1] += 10;
  PlaneAudit audit = one.audit();
  one.ask(audit);
  // The one of each example, and the answers that are those outputs, whose planes differ.
  CHECK(audit.refuted_count() >= one.problem.example_count());
  REQUIRE(audit.refuted().size() == 5);
  CHECK(audit.refuted()[0].starts_with("example 0: plane 1 of the checkpoint is violated by "));
}

TEST_CASE("a joint plane is held against the mean of all slacks") {
  Case one({Rescaling::margin, 1, 20});
  JointSeparation joint;
  one.problem.separate_jointly(one.w, Pass(1), JointWeight::one, joint);
  const double mean = joint.b - dot(joint.a, one.w);
  const auto refuted = [&](double more) {
    one.planes = std::make_unique<WorkingSet>(1, one.problem.dimension(), SlackTerm::linear(1));
    one.planes->add(0, PlaneVector(joint.a), joint.b + more, 1);
    PlaneAudit audit = one.audit(true);
    const MeanSlackBounds found = one.ask(audit);
    CHECK(found.known == doctest::Approx(mean + more).epsilon(1e-12));
    CHECK(found.both == std::max(found.asked, found.known));
    CHECK(audit.seen_again() == 0);
    return audit.refuted_count();
  };
  CHECK(refuted(0) == 0);
  CHECK(refuted(-0.5 * mean) == 0);
  CHECK(refuted(1e-4) == 1);
}

TEST_CASE("an example without any output costs nothing and refutes nothing") {
  Case one({Rescaling::margin, 1, 20});
  const Means means = means_of(one);
  const auto n = static_cast<double>(one.problem.example_count());
  one.problem.examples.emplace_back();
  one.planes = std::make_unique<WorkingSet>(one.problem.example_count(), one.problem.dimension(),
                                            SlackTerm::linear(1));
  PlaneAudit audit = one.audit();
  const MeanSlackBounds found = one.ask(audit);
  CHECK(found.high == doctest::Approx(means.all * n / (n + 1)).epsilon(1e-12));
  CHECK(found.unbounded == 0);
  CHECK(audit.refuted_count() == 0);
}

TEST_CASE("under hard margin a violation that is rounding costs nothing, and a larger one does") {
  Case one({Rescaling::margin, 1, infinity});
  const auto cost_at = [&](double part) {
    // One example with a plane that w violates by that part of the largest b.
    one.problem.examples = {{plane_of({1, 0}, {0, 0}, 2.0)}};
    one.planes.reset();
    PlaneAudit audit = one.audit();
    one.w.assign(static_cast<std::size_t>(one.problem.dimension()), 0.0);
    one.ask(audit);
    one.w[0] = 2.0 - part * 2.0;
    return one.ask(audit).high;
  };
  CHECK(cost_at(1e-10) == 0);
  CHECK(cost_at(1e-6) / 2e-6 == doctest::Approx(1));
  CHECK(cost_at(0.5) == doctest::Approx(1));
}
