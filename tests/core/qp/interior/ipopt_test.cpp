// The QP compared with Ipopt. P at Ipopt's w and D at its multipliers, by their definition, enclose
// the optimum. P and D of the QP must agree with them, up to the gap of the QP.

#include <doctest/doctest.h>

#include <random>

#include "core/qp/class_plane.hpp"
#include "core/qp/ipopt_reference.hpp"
#include "core/qp/random_planes.hpp"
#include "core/qp/restricted_values.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr double reference_gap = 1e-7;    // the largest relative gap of Ipopt
constexpr double reference_floor = 1e-9;  // added to it: an absolute gap
constexpr double qp_gap = 1e-6;           // the largest relative gap of the QP

const std::vector<SlackTerm> terms = {SlackTerm::linear(0.2), SlackTerm::squared(0.2),
                                      SlackTerm::forbidden()};

// The optimum is between D and P of Ipopt.
struct Reference {
  double dual, primal;
};

Reference reference_of(const WorkingSet& working_set, const Bounds& bounds) {
  const IpoptOptimum optimum = solve_by_ipopt(working_set, bounds);
  const Reference made{dual_at(working_set, optimum.alpha, bounds),
                       primal_at(working_set, optimum.w)};
  REQUIRE(made.primal - made.dual <= reference_gap * made.primal + reference_floor);
  REQUIRE(made.primal - made.dual >= -1e-12 * made.primal);
  return made;
}

// The solvers do the same. If slacks are forbidden, the gap is infinite for long. So the first
// target is a part of the dual.
void solve(QpSolver& qp_solver, const SlackTerm& term, double optimum) {
  QpRequest request;
  request.separation_floor = 1e-6;
  if (term.is_forbidden()) {
    request.fraction_of_dual = qp_gap;
    CHECK(qp_solver.solve(request) != QpEnd::inseparable);
    request.fraction_of_dual = 0;
  }
  request.tolerance = 0.5 * qp_gap * optimum;
  CHECK(qp_solver.solve(request) == QpEnd::tolerance);
}

void check_against_ipopt(WorkingSet& working_set, const Bounds& bounds) {
  const Reference reference = reference_of(working_set, bounds);
  QpSolver qp_solver(working_set);
  solve(qp_solver, working_set.slack_term(), reference.dual);
  const Vector point = evaluation_point_of(qp_solver);
  const double dual = dual_of(working_set, bounds);
  const double primal = primal_at(working_set, point);
  CHECK(dual <= reference.primal * (1 + reference_gap));
  CHECK(primal >= reference.dual * (1 - reference_gap));
  CHECK(dual >= reference.dual * (1 - qp_gap));
  CHECK(primal <= reference.primal * (1 + qp_gap));
  CHECK(working_set.dual() == doctest::Approx(dual).epsilon(1e-9));
  CHECK(qp_solver.restricted_gap() == doctest::Approx(primal - dual).epsilon(1e-3));
}

struct Table {
  std::vector<std::vector<double>> rows;
  std::vector<std::size_t> labels;
  std::size_t classes;
};

// All planes of each row, with one more column of 1.
WorkingSet planes_of(const Table& table, const SlackTerm& term) {
  const std::size_t inputs = table.rows.front().size() + 1;
  WorkingSet working_set(static_cast<std::int64_t>(table.rows.size()),
                         static_cast<std::int64_t>(inputs * table.classes), term);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<double> x = table.rows[i];
    x.push_back(1);
    for (std::size_t other = 0; other < table.classes; ++other) {
      if (other == table.labels[i]) continue;
      working_set.add(static_cast<std::int64_t>(i),
                      PlaneVector(class_plane(x, table.classes, table.labels[i], other)), 1, other);
    }
  }
  return working_set;
}

}  // namespace

TEST_CASE("Ipopt and the QP agree on blocks of random planes for columns of any size") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const SlackTerm& term : terms) {
        for (const bool bounded : {false, true}) {
          CAPTURE(seed);
          CAPTURE(size);
          CAPTURE(term.cap);
          CAPTURE(term.ridge);
          CAPTURE(bounded);
          const PlaneShape shape{5 + 5 * (seed % 4), 6, 3 + seed};
          const Bounds bounds = alternate_bounds(bounded, shape.dimension);
          WorkingSet working_set = random_planes(seed, shape, term, size, bounds);
          check_against_ipopt(working_set, bounds);
        }
      }
    }
  }
}

TEST_CASE("Ipopt and the QP agree on a single block of many planes as in one_slack") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const SlackTerm& term : terms) {
        for (const bool bounded : {false, true}) {
          CAPTURE(seed);
          CAPTURE(size);
          CAPTURE(term.cap);
          CAPTURE(term.ridge);
          CAPTURE(bounded);
          const PlaneShape shape{1, 60, 3 + seed};
          const Bounds bounds = alternate_bounds(bounded, shape.dimension);
          WorkingSet working_set = random_planes(100 + seed, shape, term, size, bounds);
          check_against_ipopt(working_set, bounds);
        }
      }
    }
  }
}

TEST_CASE("Ipopt and the QP agree on four rows with a raw column and a constant one at C = 10") {
  const Table table{{{1e4}, {-1e4}, {0.3e4}, {0.2e4}}, {0, 1, 0, 1}, 2};
  WorkingSet linear = planes_of(table, SlackTerm::linear(10.0 / 4));
  const Reference reference = reference_of(linear, {});
  CHECK(reference.primal == doctest::Approx(3.4722).epsilon(1e-5));
  CHECK(reference.dual == doctest::Approx(3.4722).epsilon(1e-5));
  check_against_ipopt(linear, {});
  WorkingSet squared = planes_of(table, SlackTerm::squared(10.0 / 4));
  check_against_ipopt(squared, {});
}

TEST_CASE("Ipopt and the QP agree on twelve rows with columns of 1e6, 1 and 1e-6") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Table table{{}, {}, 3};
  for (std::size_t i = 0; i < 12; ++i) {
    table.rows.push_back({1e6 * normal(random), normal(random), 1e-6 * normal(random)});
    table.labels.push_back(i % 3);
  }
  for (const SlackTerm& term : {SlackTerm::linear(10.0 / 12), SlackTerm::squared(10.0 / 12)}) {
    CAPTURE(term.ridge);
    WorkingSet working_set = planes_of(table, term);
    check_against_ipopt(working_set, {});
  }
}
