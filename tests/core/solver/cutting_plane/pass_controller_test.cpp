// How exactly PassController solves the QP after a pass at one w.

#include "solver/cutting_plane/pass_controller.hpp"

#include <doctest/doctest.h>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The QP over all outputs of all examples. With the default of max_sweeps, solve() does so little
// work that the QP is far from solved.
struct QpOverAllPlanes {
  explicit QpOverAllPlanes(double relative_gap)
      : problem(random_chain(9, 30, 3, 3, 4)),
        options(with(relative_gap)),
        working_set(30, problem.dimension(), SlackTerm::linear(options.formulation.C / 30)),
        qp_solver(working_set),
        pass_controller(options, problem, recorder, {}, working_set, qp_solver) {
    for (std::int64_t i = 0; i < 30; ++i) {
      std::uint64_t output = 0;
      for (const Plane& plane : problem.examples[static_cast<std::size_t>(i)]) {
        working_set.add(i, PlaneVector(plane.a), plane.b, ++output);
      }
    }
    qp_solver.evaluate();
  }

  static SolverOptions with(double relative_gap) {
    SolverOptions made;
    made.formulation.C = 1e4;
    made.stop.relative_gap = relative_gap;
    return made;
  }

  // Solves the QP after a pass at one w. The gap of the pass is that of the working set plus
  // `unexplained`.
  void solve(std::int64_t new_planes, double unexplained, double max_sweeps = 1) {
    pass_controller.begin_pass(true);
    pass_controller.end_pass();
    pass_controller.findings.new_planes = new_planes;
    pass_controller.findings.gap = qp_solver.restricted_gap() + unexplained;
    CHECK(pass_controller.solve_qp(max_sweeps, [] {}) != QpEnd::interrupted);
  }

  ListedProblem problem;
  SolverOptions options;
  Recorder recorder;
  WorkingSet working_set;
  QpSolver qp_solver;
  PassController pass_controller;
};

}  // namespace

TEST_CASE("after a pass with new planes the QP ends at its limit of work, and is not exact") {
  QpOverAllPlanes qp(0);
  qp.options.qp_fraction = 1e-6;
  qp.solve(1, 0);
  CHECK(qp.qp_solver.restricted_gap() > 1e-6 * qp.working_set.dual());
  CHECK_FALSE(qp.pass_controller.is_exhausted());
}

TEST_CASE("a QP over new planes is not called exact, even if it is solved up to rounding") {
  QpOverAllPlanes qp(0);
  qp.solve(1, 0, 1e5);
  qp.solve(1, -qp.qp_solver.restricted_gap(), 1e5);  // a gap of 0: the QP ends by rounding
  CHECK(qp.qp_solver.restricted_gap() <= 1e-9 * qp.working_set.dual());
  CHECK_FALSE(qp.pass_controller.qp_is_exact());
  qp.solve(0, 0, 1e5);
  CHECK(qp.pass_controller.qp_is_exact());
}

TEST_CASE("after a pass without new planes the QP is solved beyond its limit of work until exact") {
  QpOverAllPlanes qp(0);
  qp.solve(0, 0);
  CHECK(qp.pass_controller.is_exhausted());
  CHECK(qp.qp_solver.restricted_gap() <= 1e-9 * qp.working_set.dual());
}

TEST_CASE("after a pass without new planes the QP ends early if this reaches the target") {
  QpOverAllPlanes within(0.01);
  within.solve(1, 0);  // raises the dual: at 0 the target would be a gap of 0
  for (int qp = 0; qp < 5; ++qp) within.solve(0, 0);
  CHECK(within.qp_solver.restricted_gap() <= 0.0101 * within.working_set.dual());
  CHECK_FALSE(within.pass_controller.is_exhausted());
  // The gap that no plane explains exceeds the target, so the QP is solved until exact.
  QpOverAllPlanes beyond(0.01);
  beyond.solve(0, 1e9);
  CHECK(beyond.pass_controller.is_exhausted());
}
