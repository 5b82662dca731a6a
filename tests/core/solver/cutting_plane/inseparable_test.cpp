// ask_for_planes() finds the planes of two examples that contradict each other.

#include "solver/cutting_plane/inseparable.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("a contradiction of 1200 examples is found even if the answers at w do not show it") {
  constexpr std::int64_t count = 1200;
  constexpr std::int64_t first = 2;
  constexpr std::int64_t second = 50;
  const auto plane = [](std::size_t j, double value, double b) {
    Vector a(count, 0.0);
    a[j] = value;
    return plane_of(a, Vector(count, 0.0), b);
  };
  ListedProblem problem(count);
  const Plane truth = plane(0, 0, 0);
  for (std::size_t i = 0; i < count; ++i) problem.examples.push_back({truth, plane(i, 1, 1)});
  // The plane that contradicts example `first`. At w = 0 the other plane of `second` is violated
  // more.
  problem.examples[second].push_back(plane(first, -1, 0.5));
  SolverOptions options;
  options.formulation.C = std::numeric_limits<double>::infinity();
  Recorder recorder;
  WorkingSet working_set(count, count, SlackTerm::forbidden());
  QpSolver qp_solver(working_set, problem.workers());
  PassController pass_controller(options, problem, recorder, {}, working_set, qp_solver);
  std::vector<std::int64_t> examples(count);
  std::iota(examples.begin(), examples.end(), 0);
  const InfeasiblePlanes planes =
      ask_for_planes(pass_controller, problem, Vector(count, 0.0), examples);
  CHECK(problem.calls == static_cast<std::int64_t>(planes.stored().size()));
  CHECK(find_contradiction(planes.stored()) == std::pair(first, second));
}
