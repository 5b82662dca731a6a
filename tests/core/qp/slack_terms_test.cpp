// The QP with squared or forbidden slacks, and with bounds on w, compared with least distance
// programming and projected gradient.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/qp/random_blocks.hpp"
#include "core/qp/restricted_values.hpp"
#include "core/solver/least_distance.hpp"
#include "core/solver/projected_gradient.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// No bounds if the seed is even. Otherwise two of three weights must not be negative.
std::vector<std::uint8_t> random_bounds(unsigned seed, std::size_t dimension) {
  std::vector<std::uint8_t> bounds;
  if (seed % 2 == 0) return bounds;
  for (std::size_t j = 0; j < dimension; ++j) bounds.push_back((j + seed) % 3 == 0 ? 0 : 1);
  return bounds;
}

// Blocks whose planes a hidden w satisfies.
Blocks separable_blocks(unsigned seed, std::size_t count, std::size_t max_planes,
                        std::size_t dimension) {
  std::mt19937_64 random(seed);
  std::vector<double> w(dimension);
  for (double& value : w) value = 0.2 + static_cast<double>(random() % 5);
  Blocks blocks = random_blocks(seed, count, max_planes, dimension);
  for (auto& block : blocks) {
    for (Plane& plane : block) {
      double product = 0;
      for (std::size_t k = 0; k < plane.a.index.size(); ++k) {
        product += plane.a.value[k] * w[static_cast<std::size_t>(plane.a.index[k])];
      }
      if (product < 0) {
        for (double& value : plane.a.value) value = -value;
      }
      plane.b = std::abs(product) * static_cast<double>(random() % 3) / 2;
    }
  }
  return blocks;
}

WorkingSet filled(const Blocks& blocks, std::size_t dimension, const SlackTerm& term,
                  const std::vector<std::uint8_t>& bounds, bool dense = false) {
  WorkingSet working_set(static_cast<std::int64_t>(blocks.size()),
                         static_cast<std::int64_t>(dimension), term, bounds);
  fill(working_set, blocks, dense);
  return working_set;
}

// P is strongly convex: P(w) - P(w*) >= 1/2 ||w - w*||^2. So two w of small gaps are close.
void check_distance(const Vector& w, const std::vector<double>& other, double gap,
                    double other_gap) {
  double squares = 0;
  for (std::size_t j = 0; j < w.size(); ++j) squares += (w[j] - other[j]) * (w[j] - other[j]);
  CHECK(std::sqrt(squares) <= std::sqrt(2 * gap) + std::sqrt(2 * std::max(0.0, other_gap)) + 1e-5);
}

}  // namespace

TEST_CASE("with squared slacks the QP agrees with least distance programming") {
  for (unsigned seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    const std::size_t dimension = 1 + seed % 6;
    const Blocks blocks = random_blocks(seed, 1 + seed % 9, 6, dimension);
    const auto bounds = random_bounds(seed / 3, dimension);
    for (const double price : {0.05, 2.0, 300.0}) {
      CAPTURE(price);
      const auto expected = solve_least_distance(blocks, dimension, 1 / price, bounds);
      REQUIRE(expected.has_value());
      REQUIRE(expected->primal - expected->dual <= 1e-9 * (1 + expected->primal));
      WorkingSet working_set =
          filled(blocks, dimension, SlackTerm::squared(price), bounds, seed % 4 == 0);
      QpSolver qp_solver(working_set);
      const QpEnd end = qp_solver.solve({});
      CHECK((end == QpEnd::tolerance || end == QpEnd::rounding));
      CHECK(working_set.dual() == doctest::Approx(expected->dual).epsilon(1e-9));
      CHECK(qp_solver.restricted_gap() <= 1e-9 * (1 + expected->primal));
      check_distance(qp_solver.evaluation_point(), expected->w, qp_solver.restricted_gap(),
                     expected->primal - expected->dual);
    }
  }
}

TEST_CASE("with forbidden slacks the QP agrees with least distance programming") {
  for (unsigned seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    const std::size_t dimension = 1 + seed % 6;
    const Blocks blocks = separable_blocks(seed, 1 + seed % 9, 6, dimension);
    const auto bounds = random_bounds(seed / 3, dimension);
    const auto expected = solve_least_distance(blocks, dimension, 0, bounds);
    REQUIRE(expected.has_value());
    REQUIRE(expected->primal - expected->dual <= 1e-9 * (1 + expected->primal));
    WorkingSet working_set =
        filled(blocks, dimension, SlackTerm::forbidden(), bounds, seed % 4 == 0);
    QpSolver qp_solver(working_set);
    QpRequest request;
    request.separation_floor = 1e-6;
    const QpEnd end = qp_solver.solve(request);
    CHECK((end == QpEnd::tolerance || end == QpEnd::rounding));
    CHECK(working_set.dual() == doctest::Approx(expected->dual).epsilon(1e-9));
    CHECK(qp_solver.restricted_gap() <= 1e-7 * (1 + expected->primal));
  }
}

TEST_CASE("with forbidden slacks the QP is inseparable exactly if no w satisfies all planes") {
  int inseparable = 0;
  for (unsigned seed = 200; seed < 320; ++seed) {
    CAPTURE(seed);
    const std::size_t dimension = 2 + seed % 5;
    const Blocks blocks = random_blocks(seed, 1 + seed % 4, 4, dimension);
    const auto bounds = random_bounds(seed / 3, dimension);
    const bool separable = solve_least_distance(blocks, dimension, 0, bounds).has_value();
    WorkingSet working_set = filled(blocks, dimension, SlackTerm::forbidden(), bounds);
    QpSolver qp_solver(working_set);
    QpRequest request;
    request.separation_floor = 1e-6;
    CHECK((qp_solver.solve(request) != QpEnd::inseparable) == separable);
    inseparable += separable ? 0 : 1;
  }
  CHECK(inseparable > 20);
  CHECK(inseparable < 100);
}

TEST_CASE("with linear slacks and bounds on w the QP agrees with projected gradient") {
  for (unsigned seed = 1; seed < 60; seed += 2) {
    CAPTURE(seed);
    const std::size_t dimension = 2 + seed % 6;
    const Blocks blocks = random_blocks(seed, 1 + seed % 7, 5, dimension);
    const auto bounds = random_bounds(seed, dimension);
    REQUIRE_FALSE(bounds.empty());
    const double cap = seed % 3 == 0 ? 0.1 : 2;
    const ReferenceSolution expected = solve_by_projected_gradient(blocks, dimension, cap, bounds);
    REQUIRE(expected.primal - expected.dual <= 2e-8 * (1 + expected.primal));
    for (const bool dense : {false, true}) {
      WorkingSet working_set = filled(blocks, dimension, SlackTerm::linear(cap), bounds, dense);
      QpSolver qp_solver(working_set);
      qp_solver.solve({});
      CHECK(working_set.dual() == doctest::Approx(expected.dual).epsilon(1e-7));
      CHECK(qp_solver.restricted_gap() <= 1e-9 * (1 + expected.primal));
      for (std::size_t j = 0; j < dimension; ++j) {
        if (bounds[j] != 0) CHECK(working_set.w().dense()[j] >= 0);
      }
    }
  }
}

TEST_CASE("the dual never falls, and the restricted gap is P - D at the evaluation point") {
  const std::vector<SlackTerm> terms = {SlackTerm::linear(0.7), SlackTerm::squared(5),
                                        SlackTerm::squared(1e6), SlackTerm::forbidden()};
  for (unsigned seed = 0; seed < 24; ++seed) {
    const std::size_t dimension = 3 + seed % 4;
    const Blocks blocks = separable_blocks(seed, 12, 8, dimension);
    const auto bounds = random_bounds(seed, dimension);
    for (const SlackTerm& term : terms) {
      CAPTURE(seed);
      CAPTURE(term.ridge);
      WorkingSet working_set = filled(blocks, dimension, term, bounds);
      QpSolver qp_solver(working_set);
      double last = 0;
      for (int round = 0; round < 30; ++round) {
        QpRequest request;
        request.max_sweeps = 0.5;
        qp_solver.solve(request);
        CHECK(working_set.dual() >= last * (1 - 1e-13));
        last = working_set.dual();
        CHECK(last == doctest::Approx(dual_of(working_set, bounds)).epsilon(1e-11));
        if (!std::isfinite(qp_solver.restricted_gap())) continue;
        const double value = primal_at(working_set, evaluation_point_of(qp_solver));
        CHECK(qp_solver.restricted_gap() >= 0);
        CHECK(value - last ==
              doctest::Approx(qp_solver.restricted_gap()).epsilon(1e-9).scale(value));
      }
    }
  }
}

TEST_CASE("the evaluation point of the QP is the best multiple of w") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Blocks blocks = separable_blocks(seed, 6, 5, 4);
    for (const SlackTerm& term :
         {SlackTerm::squared(3), SlackTerm::squared(1e5), SlackTerm::forbidden()}) {
      WorkingSet working_set = filled(blocks, 4, term, {});
      QpSolver qp_solver(working_set);
      qp_solver.improve(std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
      qp_solver.evaluate();
      if (!std::isfinite(qp_solver.restricted_gap())) continue;
      const double found = primal_at(working_set, evaluation_point_of(qp_solver));
      for (double factor = 0.02; factor < 40; factor *= 1.01) {
        CHECK(found <= primal_at(working_set, times(factor, working_set.w().dense())) * (1 + 1e-6));
      }
    }
  }
}

TEST_CASE("a plane with a = 0 and b > 0 has a slack, and is inseparable with forbidden slacks") {
  const auto planes_with = [](const SlackTerm& term) {
    WorkingSet working_set(2, 2, term);
    working_set.add(0, PlaneVector(SparseVector{{0}, {1}}), 1, 1);
    working_set.add(1, PlaneVector(SparseVector{}), 2.0, 1);
    return working_set;
  };
  WorkingSet squared = planes_with(SlackTerm::squared(3));
  QpSolver qp_solver(squared);
  qp_solver.solve({});
  CHECK(squared.block(1).alpha[1] == doctest::Approx(6));  // price times slack
  CHECK(squared.dual() == doctest::Approx(0.5 * 3 * 4 + 0.5 * 0.75));
  CHECK(qp_solver.slack()[1] == doctest::Approx(2));
  WorkingSet forbidden = planes_with(SlackTerm::forbidden());
  QpSolver other_solver(forbidden);
  CHECK(other_solver.solve({}) == QpEnd::inseparable);
  CHECK(forbidden.block(0).alpha_sum() == 0);
  CHECK(forbidden.block(1).alpha_sum() > 0);
}

TEST_CASE("a plane that contradicts the bounds on w is proved inseparable") {
  const std::vector<std::uint8_t> bounds = {1, 0};
  WorkingSet working_set(2, 2, SlackTerm::forbidden(), bounds);
  working_set.add(0, PlaneVector(SparseVector{{0}, {-1}}), 1, 1);  // -w_0 >= 1
  working_set.add(1, PlaneVector(SparseVector{{1}, {1}}), 1, 1);
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.separation_floor = 1e-6;
  CHECK(qp_solver.solve(request) == QpEnd::inseparable);
  CHECK(working_set.block(0).alpha_sum() > 1e3 * working_set.block(1).alpha_sum());
}

TEST_CASE("nearly inseparable planes are solved, unless separation_floor is too large") {
  for (const double angle : {1e-2, 1e-3, 1e-4}) {  // the best w is 1 / angle long
    CAPTURE(angle);
    for (const double floor : {angle / 3, angle * 3}) {
      WorkingSet working_set(2, 2, SlackTerm::forbidden());
      // (1, angle) and (-1, angle), rotated by 45 degrees, so that both columns have one length.
      const double more = std::sqrt(0.5) * (1 + angle);
      const double less = std::sqrt(0.5) * (1 - angle);
      working_set.add(0, PlaneVector(SparseVector{{0, 1}, {less, more}}), 1, 1);
      working_set.add(1, PlaneVector(SparseVector{{0, 1}, {-more, -less}}), 1, 1);
      QpSolver qp_solver(working_set);
      QpRequest request;
      request.separation_floor = floor;
      const QpEnd end = qp_solver.solve(request);
      CHECK((end == QpEnd::inseparable) == (floor > angle));
      if (floor > angle) continue;
      CHECK(working_set.dual() == doctest::Approx(0.5 / (angle * angle)).epsilon(1e-9));
      CHECK(qp_solver.restricted_gap() <= 1e-6 * working_set.dual());
    }
  }
}

TEST_CASE("planes that one column separates stay separable beside a long column") {
  for (const double length : {1.0, 1e4, 1e8}) {
    CAPTURE(length);
    WorkingSet working_set(2, 2, SlackTerm::forbidden());
    working_set.add(0, PlaneVector(SparseVector{{0, 1}, {length, 1}}), 1, 1);
    working_set.add(1, PlaneVector(SparseVector{{0, 1}, {-length, 1}}), 1, 1);
    QpSolver qp_solver(working_set);
    QpRequest request;
    request.separation_floor = 0.1;
    CHECK(qp_solver.solve(request) != QpEnd::inseparable);
    CHECK(working_set.dual() == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(qp_solver.restricted_gap() <= 1e-9);
  }
}

TEST_CASE("a plane that no w satisfies gets all alpha, at any position in its block") {
  for (const bool first : {true, false}) {
    WorkingSet planes(2, 3, SlackTerm::forbidden());
    planes.add(0, PlaneVector(SparseVector{{1}, {1}}), 1, 1);
    if (first) planes.add(1, PlaneVector(SparseVector{}), 0.5, 2);
    planes.add(1, PlaneVector(SparseVector{{0}, {2}}), 1, 3);
    if (!first) planes.add(1, PlaneVector(SparseVector{}), 0.5, 2);
    CHECK(QpSolver(planes).solve({}) == QpEnd::inseparable);
    CHECK(planes.active_count() == 1);
    CHECK(planes.block(1).alpha[first ? 1 : 2] > 0);
  }
}

// The shortest w is (0, 100). If columns are scaled to the shorter one, the planes have a length of
// 0.014. A separation_floor of 1 then allows a w of length 1 / 0.014 = 71 at most.
TEST_CASE("without separation_floor planes that only a long w satisfies are solved") {
  WorkingSet working_set(1, 2, SlackTerm::forbidden());
  working_set.add(0, PlaneVector(Vector{1, 0.01}), 1, 1);
  working_set.add(0, PlaneVector(Vector{-1, 0.01}), 1, 2);
  QpRequest request;
  request.tolerance = 1e-3;
  QpSolver qp_solver(working_set);
  CHECK(qp_solver.solve(request) == QpEnd::tolerance);
  CHECK(working_set.dual() == doctest::Approx(5000).epsilon(1e-6));
  request.separation_floor = 1;
  CHECK(qp_solver.solve(request) == QpEnd::inseparable);
}
