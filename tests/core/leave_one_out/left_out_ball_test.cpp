// The ball that contains the solution without one example, against that solution.

#include "leave_one_out/left_out_ball.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/solver/kept_checkpoints.hpp"
#include "core/solver/solver_settings.hpp"
#include "leave_one_out/planes_without_example.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

Result solve(PlaneSource& source, const Formulation& formulation, double relative_gap,
             Checkpoints& checkpoints) {
  NSlackOptions options;
  options.formulation = formulation;
  options.stop.relative_gap = relative_gap;
  Recorder recorder;
  return NSlack(options).solve(Ports(source), recorder, {}, checkpoints);
}

// The optimum of the problem in which the example has no output, so that it costs nothing.
Vector optimum_without(ListedProblem problem, const Formulation& formulation, std::size_t example) {
  problem.examples[example].clear();
  Checkpoints none;
  return solve(problem, formulation, 1e-10, none).w;
}

// [n] max(0, b - <w, a>) over all outputs.
std::vector<double> slacks(const ListedProblem& problem, const Vector& w) {
  std::vector<double> out;
  for (const auto& example : problem.examples) {
    double slack = 0;
    for (const Plane& plane : example) slack = std::max(slack, plane.b - dot(plane.a, w));
    out.push_back(slack);
  }
  return out;
}

// Of a run that ends at this gap, checks the ball of every example.
void check_balls(const ListedProblem& problem, const Formulation& formulation,
                 double relative_gap) {
  KeptCheckpoints checkpoints;
  ListedProblem source = problem;
  solve(source, formulation, relative_gap, checkpoints);
  NSlackOptions options;
  options.formulation = formulation;
  MemoryReader state(checkpoints.kept.back().state);
  WorkingSet planes = NSlack(options).load_working_set(source, state).value();
  planes.refresh();
  const Vector w = planes.w().dense();
  const BlockGaps gaps = block_gaps(planes, slacks(problem, w));
  CHECK(gaps.gap == doctest::Approx(problem.primal(w, formulation) - planes.dual()).epsilon(1e-6));
  Vector zeros(w.size(), 0.0);
  SparseSum sum(problem.dimension());
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    CAPTURE(i);
    const auto example = static_cast<std::int64_t>(i);
    const ExampleProduct product(std::nullopt, zeros, sum);
    const LeftOutBall ball = ball_without(example, planes, gaps, product);
    Vector difference = optimum_without(problem, formulation, i);
    axpy(1, ball.shift, difference);
    axpy(-1, w, difference);
    const double distance = std::sqrt(squared_norm(difference));
    CHECK(distance <= ball.radius + 1e-6);
    if (relative_gap < 1e-6) {
      const double half_length = std::sqrt(squared_norm(ball.shift));
      CHECK(ball.radius <= half_length + 1e-2 * std::sqrt(squared_norm(w)));
    }
  }
}

}  // namespace

TEST_CASE(
    "the solution without an example lies in its ball, whatever the formulation and the gap") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    for (const ListedProblem& listed :
         {random_multiclass(seed, 10, 3, 3), random_chain(seed, 7, 3, 2, 3)}) {
      for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
        for (const int norm : {1, 2}) {
          for (const double gap : {0.3, 1e-2, 1e-8}) {
            CAPTURE(seed);
            CAPTURE(norm);
            CAPTURE(gap);
            const Formulation formulation{rescaling, norm, 20};
            check_balls(listed.under(formulation), formulation, gap);
          }
        }
      }
    }
  }
}

TEST_CASE("planes without an example give the optimum of a problem in which it costs nothing") {
  const Formulation formulation{Rescaling::margin, 1, 20};
  ListedProblem problem = random_chain(4, 6, 3, 2, 3).under(formulation);
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    CAPTURE(i);
    std::int64_t queries = 0;
    PlanesWithoutExample without(problem, nullptr, static_cast<std::int64_t>(i),
                                 [&](WeightView w, double scale) {
                                   CHECK(w.dimension() == problem.dimension());
                                   CHECK(scale == 1);
                                   ++queries;
                                 });
    const std::int64_t calls_before = problem.calls;
    Checkpoints none;
    const Result result = solve(without, formulation, 1e-10, none);
    CHECK(problem.calls - calls_before == result.passes * (without.example_count() - 1));
    CHECK(result.oracle_calls == problem.calls - calls_before);
    CHECK(queries == result.passes);
    const Vector expected = optimum_without(problem, formulation, i);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      CHECK(result.w[j] == doctest::Approx(expected[j]).epsilon(1e-4));
    }
  }
}
