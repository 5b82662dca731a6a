// What is asked about a proof of inseparability again.

#include "solver/cutting_plane/inseparable.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("of a large proof the answers at every place are compared") {
  constexpr std::int64_t count = 1200;
  constexpr std::int64_t third = 2;
  constexpr std::int64_t against = 50;
  const auto plane = [](std::size_t j, double value, double b) {
    Vector a(count, 0.0);
    a[j] = value;
    return plane_of(a, Vector(count, 0.0), b);
  };
  ListedProblem problem(count);
  const Plane truth = plane(0, 0, 0);
  for (std::size_t i = 0; i < count; ++i) problem.examples.push_back({truth, plane(i, 1, 1)});
  // At w = 0 its other output is violated more.
  problem.examples[against].push_back(plane(third, -1, 0.5));
  SolverOptions options;
  options.formulation.C = std::numeric_limits<double>::infinity();
  Recorder recorder;
  WorkingSet working_set(count, count, SlackTerm::forbidden());
  QpSolver qp_solver(working_set, problem.workers());
  PassController progress(options, problem, recorder, {}, working_set, qp_solver);
  std::vector<std::int64_t> examples(count);
  std::iota(examples.begin(), examples.end(), 0);
  const InfeasiblePlanes planes = ask_for_planes(progress, problem, Vector(count, 0.0), examples);
  CHECK(problem.calls == static_cast<std::int64_t>(planes.kept().size()));
  CHECK(contradiction(planes.kept()) == std::pair(third, against));
}
