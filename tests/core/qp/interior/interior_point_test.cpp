// Newton steps solve the QP for columns of any size. The tests compute P and D by their definition.
// alpha is feasible, so a tiny gap between P and D proves both.

#include "qp/interior/interior_point.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/infinity.hpp"
#include "core/qp/class_plane.hpp"
#include "core/qp/random_blocks.hpp"
#include "core/qp/random_planes.hpp"
#include "core/qp/restricted_values.hpp"
#include "parallel/workers.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

struct Case {
  SlackTerm term;
  double size;  // of the first column; the last column is 1
  bool has_bounds;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const double size : {1e-6, 1.0, 1e4, 1e6, 1e8}) {
    for (const SlackTerm& term :
         {SlackTerm::linear(0.2), SlackTerm::squared(0.2), SlackTerm::forbidden()}) {
      for (const bool bounds : {false, true}) list.push_back({term, size, bounds});
    }
  }
  return list;
}

constexpr std::size_t inputs = 4;
constexpr std::size_t classes = 3;
constexpr std::int64_t dimension = inputs * classes;

// All planes of 40 rows with three classes. If slacks are forbidden, some w separates them.
WorkingSet rows_of(const Case& tested, const Bounds& bounds) {
  constexpr std::int64_t count = 40;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const std::vector<std::vector<double>> truth = {{1, 0.2, 2, 0.1}, {0.3, 1, 1, 2}, {1, 2, 0.1, 1}};
  WorkingSet working_set(count, dimension, tested.term, bounds);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<double> x = {normal(random), normal(random), normal(random), 1};
    std::vector<double> score(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t j = 0; j < inputs; ++j) score[k] += truth[k][j] * x[j];
    }
    auto label =
        static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    if (!tested.term.is_forbidden() && i % 8 == 0) label = (label + 1) % classes;
    x[0] *= tested.size;
    for (std::size_t other = 0; other < classes; ++other) {
      if (other == label) continue;
      const Plane sparse = plane(class_plane(x, classes, label, other), 1);
      working_set.add(i, PlaneVector(sparse.a), sparse.b, other);
    }
  }
  return working_set;
}

}  // namespace

TEST_CASE("Newton steps from w = 0 close the gap for a column of any size") {
  for (const Case& tested : cases()) {
    CAPTURE(tested.size);
    CAPTURE(tested.term.cap);
    CAPTURE(tested.term.ridge);
    CAPTURE(tested.has_bounds);
    const Bounds bounds = alternate_bounds(tested.has_bounds, inputs * classes);
    WorkingSet working_set = rows_of(tested, bounds);
    InteriorPoint interior(working_set, nullptr);
    interior.ascend(SparseVector(), infinity, {});
    const Vector point = dense(interior.newton_point(), static_cast<std::size_t>(dimension));
    const double primal = primal_at(working_set, point);
    const double dual = dual_of(working_set, bounds);
    CHECK(primal - dual <= 1e-5 * primal);
    CHECK(primal - dual >= -1e-9 * primal);
    CHECK(interior.primal() == doctest::Approx(primal).epsilon(1e-9));
    CHECK(working_set.dual() == doctest::Approx(dual).epsilon(1e-7));
    if (!bounds.empty()) {
      for (std::size_t j = 0; j < bounds.size(); ++j) {
        CHECK((bounds[j] == 0 || point[j] >= 0));
      }
    }
  }
}

TEST_CASE("the QP reaches its gap for a column of any size, with Newton steps if needed") {
  for (const Case& tested : cases()) {
    CAPTURE(tested.size);
    CAPTURE(tested.term.cap);
    CAPTURE(tested.term.ridge);
    CAPTURE(tested.has_bounds);
    const Bounds bounds = alternate_bounds(tested.has_bounds, inputs * classes);
    WorkingSet working_set = rows_of(tested, bounds);
    QpSolver qp_solver(working_set);
    QpRequest request;
    request.separation_floor = 1e-4;
    request.fraction_of_dual = tested.term.is_forbidden() ? 1e-3 : 0;
    request.max_sweeps = 1e5;
    for (int round = 0; round < 3; ++round) {
      request.tolerance = tested.term.is_forbidden() ? 0 : 1e-3 * working_set.dual();
      CHECK(qp_solver.solve(request) != QpEnd::inseparable);
    }
    const Vector point = evaluation_point_of(qp_solver);
    const double primal = primal_at(working_set, point);
    CHECK(primal - dual_of(working_set, bounds) <= 2e-3 * primal);
    CHECK(qp_solver.restricted_gap() <= 2e-3 * primal);
  }
}

TEST_CASE("threads: Newton steps give the same bits for any number of threads") {
  // Enough columns that the matrix is computed in panels.
  constexpr std::size_t columns = 120;
  const auto rows = [] {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    WorkingSet working_set(60, columns, SlackTerm::linear(0.2));
    for (std::int64_t i = 0; i < 60; ++i) {
      for (std::uint64_t p = 1; p <= 4; ++p) {
        std::vector<double> a(columns);
        for (double& value : a) value = normal(random);
        a[0] *= 1e6;
        working_set.add(i, PlaneVector(plane(a, 1).a), 1, p);
      }
    }
    return working_set;
  };
  SparseVector points[3];
  double duals[3];
  for (const int threads : {0, 1, 3}) {
    Workers workers(std::max(threads, 1));
    WorkingSet working_set = rows();
    InteriorPoint interior(working_set, threads == 0 ? nullptr : &workers);
    interior.ascend(SparseVector(), infinity, {});
    const std::size_t k = threads == 3 ? 2 : static_cast<std::size_t>(threads);
    points[k] = interior.newton_point();
    duals[k] = working_set.dual();
  }
  CHECK(points[0] == points[1]);
  CHECK(points[0] == points[2]);
  CHECK(duals[0] == duals[1]);
  CHECK(duals[0] == duals[2]);
}

TEST_CASE("Newton steps that are stopped leave a feasible alpha with no smaller D") {
  for (const int polls : {0, 1, 3, 7}) {
    CAPTURE(polls);
    WorkingSet working_set = rows_of({SlackTerm::linear(0.2), 1e4, false}, {});
    QpSolver qp_solver(working_set);
    QpRequest two_sweeps;
    two_sweeps.max_sweeps = 2;
    qp_solver.solve(two_sweeps);
    const double before = working_set.dual();
    CHECK(before > 0);
    InteriorPoint interior(working_set, nullptr);
    InteriorPoint::Request request;
    int left = polls;
    request.stop = [&left] { return --left < 0; };
    const auto end =
        interior.ascend(qp_solver.sparse_evaluation_point(), qp_solver.restricted_gap(), request);
    CHECK(end == InteriorPoint::End::interrupted);
    CHECK(dual_of(working_set, {}) >= before * (1 - 1e-12));
    CHECK(working_set.dual() >= before * (1 - 1e-12));
  }
}

// All planes are read five times: to choose planes, for P, for v of D, for v of the iterate, and to
// choose violated planes.
TEST_CASE("Newton steps that are stopped before the first one count their reads of planes") {
  WorkingSet working_set = rows_of({SlackTerm::linear(0.2), 1, false}, {});
  InteriorPoint interior(working_set, nullptr);
  InteriorPoint::Request request;
  request.stop = [] { return true; };
  interior.ascend(SparseVector(), infinity, request);
  CHECK(interior.work() == 5 * static_cast<double>(working_set.entry_count()));
}

// If b is multiplied by s, alpha and w are multiplied by s, P and D by s^2.
TEST_CASE("Newton steps give the same bits if b is multiplied by a power of two") {
  for (const SlackTerm& term : {SlackTerm::squared(0.2), SlackTerm::forbidden()}) {
    CAPTURE(term.ridge);
    const auto w_with = [&term](double unit, double& dual, double& work) {
      WorkingSet working_set(20, 6, term);
      std::mt19937_64 random(8);
      for (std::int64_t i = 0; i < 20; ++i) {
        for (std::uint64_t p = 1; p <= 3; ++p) {
          Vector a(6);
          for (double& value : a) value = 0.1 + static_cast<double>(random() % 9);
          a[random() % 6] *= -0.1;
          working_set.add(i, PlaneVector(a), unit, p);
        }
      }
      InteriorPoint interior(working_set, nullptr);
      CHECK(interior.ascend(SparseVector(), infinity, {1e-7 * unit * unit, 0, {}}) ==
            InteriorPoint::End::tolerance);
      dual = working_set.dual() / unit / unit;
      work = interior.work();
      return times(1 / unit, dense(interior.newton_point(), 6));
    };
    double dual = 0;
    double work = 0;
    const Vector w = w_with(1, dual, work);
    for (const double unit : {0x1p-20, 0x1p+20}) {
      double other_dual = 0;
      double other_work = 0;
      CHECK(w_with(unit, other_dual, other_work) == w);
      CHECK(other_dual == dual);
      CHECK(other_work == work);
    }
  }
}

// With 400 weights nearly all work is the matrix and its factorization.
TEST_CASE("the work of Newton steps is close to their expected work") {
  constexpr std::size_t columns = 400;
  for (const auto& [count, planes] : {std::pair{60, 3}, std::pair{900, 1}}) {
    const int blocks = count;
    for (const SlackTerm& term : {SlackTerm::linear(0.2), SlackTerm::squared(0.2)}) {
      CAPTURE(blocks);
      CAPTURE(term.ridge);
      std::mt19937_64 random(3);
      std::normal_distribution<double> normal;
      WorkingSet working_set(blocks, columns, term);
      for (std::int64_t i = 0; i < blocks; ++i) {
        for (int p = 1; p <= planes; ++p) {
          Vector a(columns);
          for (double& value : a) value = normal(random);
          working_set.add(i, PlaneVector(a), 1, static_cast<std::uint64_t>(p));
        }
      }
      InteriorPoint interior(working_set, nullptr);
      interior.ascend(SparseVector(), infinity, {1e-6, 0, {}});
      const double expected = interior.expected_work();  // now for the planes with alpha > 0
      CHECK(interior.work() < 1.6 * expected);
      CHECK(interior.work() > expected / 1.6);
    }
  }
}

TEST_CASE("Newton steps leave out weights under bounds that are 0 in every plane") {
  const std::vector<std::uint8_t> bounds = {0, 1, 1};
  for (const SlackTerm& term :
       {SlackTerm::linear(10), SlackTerm::squared(10), SlackTerm::forbidden()}) {
    CAPTURE(term.cap);
    CAPTURE(term.ridge);
    WorkingSet working_set(1, 3, term, bounds);
    working_set.add(0, PlaneVector(Vector{2, 0, 1}), 1, 1);
    working_set.add(0, PlaneVector(Vector{1, 0, 3}), 1, 2);
    InteriorPoint interior(working_set, nullptr);
    CHECK(interior.ascend(SparseVector(), infinity, {1e-9, 0, {}}) ==
          InteriorPoint::End::tolerance);
    const Vector point = dense(interior.newton_point(), 3);
    CHECK(primal_at(working_set, point) - dual_of(working_set, bounds) <= 1e-9);
  }
}

TEST_CASE("a single block with bounds on w and forbidden slacks is solved to any tolerance") {
  for (unsigned seed = 120; seed < 160; ++seed) {
    const PlaneShape shape{1, 60, 3 + seed % 8};
    const Bounds bounds = alternate_bounds(true, shape.dimension);
    for (const double size : {1.0, 1e2, 1e4}) {
      for (const double tolerance : {1e-6, 1e-4, 3e-4, 1e-2, 1.0, 1e2}) {
        CAPTURE(seed);
        CAPTURE(size);
        CAPTURE(tolerance);
        WorkingSet working_set = random_planes(seed, shape, SlackTerm::forbidden(), size, bounds);
        QpSolver qp_solver(working_set);
        QpRequest request;
        request.separation_floor = 1e-6;
        request.tolerance = tolerance;
        CHECK(qp_solver.solve(request) == QpEnd::tolerance);
        const Vector point = evaluation_point_of(qp_solver);
        const double dual = dual_of(working_set, bounds);
        CHECK(primal_at(working_set, point) - dual <= 1.001 * tolerance + 1e-12 * dual);
      }
    }
  }
}
