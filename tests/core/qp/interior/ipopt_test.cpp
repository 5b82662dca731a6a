// The QP against Ipopt. Its w and its multipliers bound the optimum from both sides, by sums from
// the definition: what the QP ends with has to lie in between, as far as its own gap allows.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/qp/class_plane.hpp"
#include "core/qp/ipopt_reference.hpp"
#include "core/qp/restricted_values.hpp"
#include "qp/sweeps.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

using Bounds = std::vector<std::uint8_t>;

constexpr double reference_gap = 1e-7;    // relative: what is asked of Ipopt,
constexpr double reference_floor = 1e-9;  // and absolute, as its own tolerance is
constexpr double qp_gap = 1e-6;           // relative: what is asked of the QP

const std::vector<SlackTerm> terms = {SlackTerm::linear(0.2), SlackTerm::squared(0.2),
                                      SlackTerm::forbidden()};

// Of alternate weights, where asked for.
Bounds bounds_of(bool wanted, std::size_t dimension) {
  Bounds bounds;
  for (std::size_t j = 0; wanted && j < dimension; ++j) bounds.push_back(j % 2 == 0 ? 1 : 0);
  return bounds;
}

struct Shape {
  std::int64_t blocks;
  std::size_t most_planes;  // of a block
  std::size_t dimension;
};

// Planes that a hidden w within the bounds satisfies, but for some where slacks are allowed. The
// first column is about `size` times as long as the last, the others lie in between.
WorkingSet random_planes(unsigned seed, const Shape& shape, const SlackTerm& term, double size,
                         const Bounds& bounds) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector hidden;
  for (std::size_t j = 0; j < shape.dimension; ++j) {
    hidden.push_back(bounds.empty() || bounds[j] == 0 ? normal(random) : std::abs(normal(random)));
  }
  WorkingSet working_set(shape.blocks, static_cast<std::int64_t>(shape.dimension), term, bounds);
  for (std::int64_t i = 0; i < shape.blocks; ++i) {
    const std::size_t planes = 1 + random() % shape.most_planes;
    for (std::size_t p = 0; p < planes; ++p) {
      Vector a(shape.dimension, 0.0);
      double product = 0;
      for (std::size_t j = 0; j < shape.dimension; ++j) {
        if (random() % 4 != 0) a[j] = normal(random);
        product += a[j] * hidden[j];
      }
      const bool noisy = !term.is_forbidden() && random() % 8 == 0;
      if (!noisy && std::abs(product) < 0.1) continue;
      for (std::size_t j = 0; j < shape.dimension; ++j) {
        if (!noisy && product < 0 && (bounds.empty() || bounds[j] == 0)) a[j] = -a[j];
        if (!noisy && product < 0 && !bounds.empty() && bounds[j] != 0) a[j] = std::abs(a[j]);
        const double part = static_cast<double>(j) / static_cast<double>(shape.dimension);
        a[j] *= std::pow(size, 0.5 - part);
      }
      working_set.add(i, PlaneVector(a), 0.5 + 0.25 * static_cast<double>(random() % 4), p + 1);
    }
  }
  return working_set;
}

// `optimum`: D and P of the reference.
struct Between {
  double dual, primal;
};

Between reference_of(const WorkingSet& working_set, const Bounds& bounds) {
  const IpoptOptimum optimum = solve_by_ipopt(working_set, bounds);
  const Between between{dual_at(working_set, optimum.alpha, bounds),
                        primal_at(working_set, optimum.w)};
  REQUIRE(between.primal - between.dual <= reference_gap * between.primal + reference_floor);
  REQUIRE(between.primal - between.dual >= -1e-12 * between.primal);
  return between;
}

// As solvers do: where slacks are forbidden a part of the dual comes first, as the gap is infinite
// for long.
void solve(Sweeps& sweeps, const SlackTerm& term, double optimum) {
  QpRequest request;
  request.separation_floor = 1e-6;
  if (term.is_forbidden()) {
    request.part_of_dual = qp_gap;
    CHECK(sweeps.solve(request) != QpEnd::inseparable);
    request.part_of_dual = 0;
  }
  request.tolerance = 0.5 * qp_gap * optimum;
  CHECK(sweeps.solve(request) == QpEnd::tolerance);
}

void check_against_ipopt(WorkingSet& working_set, const Bounds& bounds) {
  const Between reference = reference_of(working_set, bounds);
  Sweeps sweeps(working_set);
  solve(sweeps, working_set.slack_term(), reference.dual);
  Vector place = sweeps.base();
  for (double& w : place) w *= sweeps.stretch();
  const double dual = dual_of(working_set, bounds);
  const double primal = primal_at(working_set, place);
  CHECK(dual <= reference.primal * (1 + reference_gap));
  CHECK(primal >= reference.dual * (1 - reference_gap));
  CHECK(dual >= reference.dual * (1 - qp_gap));
  CHECK(primal <= reference.primal * (1 + qp_gap));
  CHECK(working_set.dual() == doctest::Approx(dual).epsilon(1e-9));
  CHECK(sweeps.restricted_gap() == doctest::Approx(primal - dual).epsilon(1e-3));
}

// Rows, and the label of each.
struct Table {
  std::vector<std::vector<double>> rows;
  std::vector<std::size_t> labels;
  std::size_t classes;
};

// All planes of each row, to which a constant is added.
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

TEST_CASE("Ipopt and the QP agree on blocks of random planes, for columns of any size") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const SlackTerm& term : terms) {
        for (const bool bounded : {false, true}) {
          CAPTURE(seed);
          CAPTURE(size);
          CAPTURE(term.cap);
          CAPTURE(term.ridge);
          CAPTURE(bounded);
          const Shape shape{5 + 5 * (seed % 4), 6, 3 + seed};
          const Bounds bounds = bounds_of(bounded, shape.dimension);
          WorkingSet working_set = random_planes(seed, shape, term, size, bounds);
          check_against_ipopt(working_set, bounds);
        }
      }
    }
  }
}

TEST_CASE("Ipopt and the QP agree on a single block of many planes, as one_slack has it") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const SlackTerm& term : terms) {
        for (const bool bounded : {false, true}) {
          CAPTURE(seed);
          CAPTURE(size);
          CAPTURE(term.cap);
          CAPTURE(term.ridge);
          CAPTURE(bounded);
          const Shape shape{1, 60, 3 + seed};
          const Bounds bounds = bounds_of(bounded, shape.dimension);
          WorkingSet working_set = random_planes(100 + seed, shape, term, size, bounds);
          check_against_ipopt(working_set, bounds);
        }
      }
    }
  }
}

// P and D prove it.
TEST_CASE("a single block under bounds and forbidden slacks is solved to any tolerance") {
  for (unsigned seed = 120; seed < 160; ++seed) {
    const Shape shape{1, 60, 3 + seed % 8};
    const Bounds bounds = bounds_of(true, shape.dimension);
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const double tolerance : {1e-6, 1e-4, 3e-4, 1e-2, 1.0, 1e2}) {
        CAPTURE(seed);
        CAPTURE(size);
        CAPTURE(tolerance);
        WorkingSet working_set = random_planes(seed, shape, SlackTerm::forbidden(), size, bounds);
        Sweeps sweeps(working_set);
        QpRequest request;
        request.separation_floor = 1e-6;
        request.tolerance = tolerance;
        CHECK(sweeps.solve(request) == QpEnd::tolerance);
        Vector place = sweeps.base();
        for (double& w : place) w *= sweeps.stretch();
        const double dual = dual_of(working_set, bounds);
        CHECK(primal_at(working_set, place) - dual <= 1.001 * tolerance + 1e-12 * dual);
      }
    }
  }
}

TEST_CASE("Ipopt and the QP agree on four rows with a raw column and a bias: 3.4722 at C = 10") {
  const Table table{{{1e4}, {-1e4}, {0.3e4}, {0.2e4}}, {0, 1, 0, 1}, 2};
  WorkingSet linear = planes_of(table, SlackTerm::linear(10.0 / 4));
  const Between reference = reference_of(linear, {});
  CHECK(reference.primal == doctest::Approx(3.4722).epsilon(1e-5));
  CHECK(reference.dual == doctest::Approx(3.4722).epsilon(1e-5));
  check_against_ipopt(linear, {});
  WorkingSet squared = planes_of(table, SlackTerm::squared(10.0 / 4));
  check_against_ipopt(squared, {});
}

TEST_CASE("Ipopt and the QP agree on twelve rows of columns of 1e6, 1 and 1e-6") {
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
