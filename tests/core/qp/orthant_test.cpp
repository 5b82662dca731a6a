// The QP where slacks do not cost linearly, and under bounds on w: against least distance
// programming and projected gradients.

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

// Every third weight is free; one seed in two has no bounds at all.
std::vector<std::uint8_t> random_bounds(unsigned seed, std::size_t dimension) {
  std::vector<std::uint8_t> bounds;
  if (seed % 2 == 0) return bounds;
  for (std::size_t j = 0; j < dimension; ++j) bounds.push_back((j + seed) % 3 == 0 ? 0 : 1);
  return bounds;
}

// Blocks that some w separates: b as this w allows, with a margin.
Blocks separable_blocks(unsigned seed, std::size_t count, std::size_t most, std::size_t dimension) {
  std::mt19937_64 random(seed);
  std::vector<double> w(dimension);
  for (double& value : w) value = 0.2 + static_cast<double>(random() % 5);
  Blocks blocks = random_blocks(seed, count, most, dimension);
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

// P is strongly convex: P(w) - P >= 1/2 ||w - w*||^2 bounds how far two w may lie apart.
void check_distance(const Vector& w, const std::vector<double>& other, double gap,
                    double other_gap) {
  double squares = 0;
  for (std::size_t j = 0; j < w.size(); ++j) squares += (w[j] - other[j]) * (w[j] - other[j]);
  CHECK(std::sqrt(squares) <= std::sqrt(2 * gap) + std::sqrt(2 * std::max(0.0, other_gap)) + 1e-5);
}

}  // namespace

TEST_CASE("with squared slacks the QP finds what least distance programming finds") {
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
      check_distance(qp_solver.place(), expected->w, qp_solver.restricted_gap(),
                     expected->primal - expected->dual);
    }
  }
}

TEST_CASE("with slacks forbidden the QP finds what least distance programming finds") {
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

TEST_CASE("with slacks forbidden the QP is called inseparable exactly when no w satisfies all") {
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

TEST_CASE("under bounds and linear slacks the QP agrees with projected gradients") {
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

TEST_CASE("the dual never falls, and the restricted gap is P minus D at the stretched w") {
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
        const double value = primal_at(working_set, place_of(qp_solver));
        CHECK(qp_solver.restricted_gap() >= 0);
        CHECK(value - last ==
              doctest::Approx(qp_solver.restricted_gap()).epsilon(1e-9).scale(value));
      }
    }
  }
}

TEST_CASE("the stretch is the best multiple of w that a search finds") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Blocks blocks = separable_blocks(seed, 6, 5, 4);
    for (const SlackTerm& term :
         {SlackTerm::squared(3), SlackTerm::squared(1e5), SlackTerm::forbidden()}) {
      WorkingSet working_set = filled(blocks, 4, term, {});
      QpSolver qp_solver(working_set);
      for (std::int64_t i = 0; i < 6; ++i) qp_solver.improve(i);
      qp_solver.evaluate();
      if (!std::isfinite(qp_solver.restricted_gap())) continue;
      const double found = primal_at(working_set, place_of(qp_solver));
      for (double factor = 0.02; factor < 40; factor *= 1.01) {
        CHECK(found <= primal_at(working_set, times(factor, working_set.w().dense())) * (1 + 1e-6));
      }
    }
  }
}

TEST_CASE(
    "a plane with a = 0 and b > 0 costs under squared slacks and proves under forbidden ones") {
  const auto with = [](const SlackTerm& term) {
    WorkingSet working_set(2, 2, term);
    working_set.add(0, PlaneVector(SparseVector{{0}, {1}}), 1, 1);
    working_set.add(1, PlaneVector(SparseVector{}), 2.0, 1);
    return working_set;
  };
  WorkingSet squared = with(SlackTerm::squared(3));
  QpSolver qp_solver(squared);
  qp_solver.solve({});
  CHECK(squared.block(1).alpha[1] == doctest::Approx(6));  // price times slack
  CHECK(squared.dual() == doctest::Approx(0.5 * 3 * 4 + 0.5 * 0.75));
  CHECK(qp_solver.slack()[1] == doctest::Approx(2));
  WorkingSet forbidden = with(SlackTerm::forbidden());
  QpSolver none(forbidden);
  CHECK(none.solve({}) == QpEnd::inseparable);
  CHECK(forbidden.block(0).alpha_sum() == 0);
  CHECK(forbidden.block(1).alpha_sum() > 0);
}

TEST_CASE("a plane that bounds alone contradict is a proof as well") {
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

TEST_CASE("what is nearly inseparable is solved, and only a floor above it says otherwise") {
  for (const double angle : {1e-2, 1e-3, 1e-4}) {  // the best w is 1 / angle long
    CAPTURE(angle);
    for (const double floor : {angle / 3, angle * 3}) {
      WorkingSet working_set(2, 2, SlackTerm::forbidden());
      // (1, angle) and (-1, angle), turned by 45 degrees: no column is short.
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

TEST_CASE("a long column does not make what others separate inseparable") {
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

TEST_CASE("a plane that no w satisfies carries all alpha, whichever of its block it is") {
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

// w = (0, 100) is the shortest. Scaled to the shorter column the planes have a length of 0.014, and
// a floor of 1 looks no further than 1 / 0.014 = 71.
TEST_CASE(
    "without a floor planes that only a long w satisfies are solved, not called inseparable") {
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
