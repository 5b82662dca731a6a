// The QP over a single block of planes with columns of 1e8. one_slack has such blocks on raw data.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/qp/random_blocks.hpp"
#include "core/qp/restricted_values.hpp"
#include "core/solver/least_distance.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr double size = 1e8;

// Planes that a hidden w satisfies with a margin. Its entries are positive, so it is within bounds.
std::vector<Plane> separable_planes(std::uint64_t seed, std::size_t count, std::size_t dimension) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> hidden(dimension);
  for (double& w : hidden) w = 0.2 + std::abs(normal(random));
  std::vector<Plane> planes;
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<double> a(dimension);
    double product = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      a[j] = normal(random);
      product += a[j] * hidden[j];
    }
    for (double& value : a) value = product < 0 ? -value : value;
    planes.push_back(plane(a, std::abs(product) * (1 + static_cast<double>(random() % 3)) / 4));
  }
  return planes;
}

}  // namespace

TEST_CASE("the QP reaches the right D with an alpha of 1e-16 of the cap") {
  // A w of 1e-8 satisfies the planes. With a cap of 30 the optimum has no slack. So D is that of
  // the planes with columns of 1, divided by the square of the size.
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const std::size_t dimension = 2 + seed % 5;
    std::vector<Plane> planes = separable_planes(seed, 4 + seed % 17, dimension);
    const std::vector<std::uint8_t> bounds(seed % 2 == 0 ? dimension : 0, 1);
    const auto expected = solve_least_distance({planes}, dimension, 0, bounds);
    REQUIRE(expected.has_value());
    WorkingSet working_set(1, static_cast<std::int64_t>(dimension), SlackTerm::linear(30), bounds);
    QpSolver qp_solver(working_set);
    for (std::size_t p = 0; p < planes.size(); ++p) {
      for (double& value : planes[p].a.value) value *= size;
      REQUIRE(working_set.add(0, PlaneVector(planes[p].a), planes[p].b, p));
      const double before = working_set.dual();
      QpRequest request;
      request.max_sweeps = 10;
      qp_solver.solve(request);
      CHECK(working_set.dual() >= before * (1 - 1e-12));
    }
    qp_solver.solve({});
    CHECK(dual_of(working_set, bounds) * size * size ==
          doctest::Approx(expected->dual).epsilon(1e-6));
    CHECK(working_set.dual() / dual_of(working_set, bounds) == doctest::Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("a QP with forbidden slacks and a long column is solved, or proved inseparable") {
  int inseparable = 0;
  int proved = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (const bool bounded : {false, true}) {
      for (const double longest : {1.0, 1e6, size}) {
        CAPTURE(seed);
        CAPTURE(bounded);
        CAPTURE(longest);
        const std::size_t dimension = 3 + seed % 8;
        std::vector<std::uint8_t> bounds(bounded ? dimension : 0, 0);
        if (bounded) bounds.back() = 1;
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        std::vector<Plane> planes;
        WorkingSet working_set(1, static_cast<std::int64_t>(dimension), SlackTerm::forbidden(),
                               bounds);
        for (std::size_t p = 0; p < 20; ++p) {
          std::vector<double> a(dimension);
          for (double& value : a) value = normal(random);
          a[1] += 1;
          planes.push_back(plane(a, 1));
          a[0] *= longest;
          REQUIRE(working_set.add(0, PlaneVector(Vector(a.begin(), a.end())), 1, p));
        }
        QpSolver qp_solver(working_set);
        QpRequest request;
        request.separation_floor = 1e-6;
        request.fraction_of_dual = 1e-3;
        const QpEnd end = qp_solver.solve(request);
        // The size of a column does not change whether some w separates the planes.
        const bool separable = solve_least_distance({planes}, dimension, 0, bounds).has_value();
        if (!separable) {
          CHECK(end != QpEnd::tolerance);
          ++inseparable;
          proved += end == QpEnd::inseparable ? 1 : 0;
          continue;
        }
        CHECK(end == QpEnd::tolerance);
        request.tolerance = 2e-3 * working_set.dual();
        request.fraction_of_dual = 0;
        CHECK(qp_solver.solve(request) == QpEnd::tolerance);
        const Vector point = evaluation_point_of(qp_solver);
        CHECK(primal_at(working_set, point) - dual_of(working_set, bounds) <=
              1.01 * request.tolerance);
      }
    }
  }
  // With columns of 1e8 the proof may be lost in rounding.
  CHECK(inseparable > 20);
  CHECK(proved >= 0.95 * inseparable);
}
