#include "solver/cutting_plane/pass_controller.hpp"

#include <doctest/doctest.h>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The QP over every output of every example, re-solved by so little work at a time that one round
// does not get far.
struct QpAlone {
  explicit QpAlone(double relative_gap)
      : problem(random_chain(9, 30, 3, 3, 4)),
        options(with(relative_gap)),
        working_set(30, problem.dimension(), SlackTerm::linear(options.formulation.C / 30)),
        qp_solver(working_set),
        progress(options, problem, recorder, {}, working_set, qp_solver) {
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

  // After a frozen pass that saw `unexplained` more than the working set knows.
  void solve(std::int64_t new_planes, double unexplained, double max_sweeps = 1) {
    progress.begin_pass(true);
    progress.end_pass();
    progress.found.new_planes = new_planes;
    progress.found.gap = qp_solver.restricted_gap() + unexplained;
    CHECK(progress.solve_qp(max_sweeps, [] {}) != QpEnd::interrupted);
  }

  ListedProblem problem;
  SolverOptions options;
  Recorder recorder;
  WorkingSet working_set;
  QpSolver qp_solver;
  PassController progress;
};

}  // namespace

TEST_CASE("after a pass with new planes the QP ends at its work bound, and is not called exact") {
  QpAlone qp(0);
  qp.options.qp_fraction = 1e-6;
  qp.solve(1, 0);
  CHECK(qp.qp_solver.restricted_gap() > 1e-6 * qp.working_set.dual());
  CHECK_FALSE(qp.progress.exhausted());
}

TEST_CASE("a QP over new planes is not called exact, however well it is solved") {
  QpAlone qp(0);
  qp.solve(1, 0, 1e5);
  qp.solve(1, -qp.qp_solver.restricted_gap(), 1e5);  // to a part of no gap: until rounding ends it
  CHECK(qp.qp_solver.restricted_gap() <= 1e-9 * qp.working_set.dual());
  CHECK_FALSE(qp.progress.qp_is_exact());
  qp.solve(0, 0, 1e5);
  CHECK(qp.progress.qp_is_exact());
}

TEST_CASE("after a pass without new planes the QP is solved beyond its work bound until exact") {
  QpAlone qp(0);
  qp.solve(0, 0);
  CHECK(qp.progress.exhausted());
  CHECK(qp.qp_solver.restricted_gap() <= 1e-9 * qp.working_set.dual());
}

TEST_CASE("or until the target is in reach, and what no plane explains counts against it") {
  QpAlone within(0.01);
  within.solve(1, 0);  // a part of a dual of 0 would be nothing
  for (int qp = 0; qp < 5; ++qp) within.solve(0, 0);
  CHECK(within.qp_solver.restricted_gap() <= 0.0101 * within.working_set.dual());
  CHECK_FALSE(within.progress.exhausted());
  QpAlone beyond(0.01);
  beyond.solve(0, 1e9);  // bounds too loose for any w: only an exact solution remains
  CHECK(beyond.progress.exhausted());
}
