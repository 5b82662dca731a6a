#include "qp/plane_vector.hpp"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <random>

#include "linalg/products.hpp"

using namespace sculpt::core;

TEST_CASE("a plane takes 3 or 5 bytes an entry, 8 or 12 where that would not keep it exactly") {
  const auto bytes = [](std::int32_t index, double value) {
    return PlaneVector(SparseVector{{0, index}, {1.0, value}}).bytes() / 2;
  };
  CHECK(bytes(65535, -3) == 3);
  CHECK(bytes(65536, -3) == 5);
  CHECK(bytes(7, 127) == 3);
  CHECK(bytes(7, 128) == 8);
  CHECK(bytes(7, 0.5) == 3);
  CHECK(bytes(7, 1.5) == 8);
  CHECK(bytes(7, 0.3) == 12);
  CHECK(bytes(7, 16777217) == 12);
  CHECK(bytes(7, 1e300) == 12);
  CHECK(bytes(7, -1e-300) == 12);
  CHECK(bytes(7, 2.0 * FLT_MAX) == 12);
  CHECK(bytes(7, std::ldexp(1.0, -149)) == 8);
  CHECK(PlaneVector(SparseVector{}).bytes() == 0);
  CHECK(PlaneVector(Vector(5, 0.0)).bytes() == 40);
}

TEST_CASE("multiples of a number that is no float are kept as multiples") {
  const double root = std::sqrt(3.0);
  const SparseVector a{{3, 9, 11}, {root * 2, -root * 5, root}};
  CHECK(PlaneVector(a).bytes() == 9);
  CHECK(PlaneVector(SparseVector{{3, 9}, {root, 0.1}}).bytes() == 24);
}

TEST_CASE("every form of a plane gives the bits of the sparse vector that it was made of") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr std::size_t dimension = 70000;
  Vector x(dimension);
  for (double& value : x) value = normal(random);
  const double root = std::sqrt(5.0);
  for (const double unit : {0.0, 1.0, 300.0, root}) {
    for (const std::size_t last : {std::size_t{1000}, dimension}) {
      SparseVector a;
      for (std::size_t k = 0; k < last; k += 1 + random() % 50) {
        a.index.push_back(static_cast<std::int32_t>(k));
        a.value.push_back(unit > 0 ? unit * (static_cast<double>(random() % 9) - 4.5)
                                   : normal(random));
      }
      const PlaneVector plane(a);
      CHECK(plane.entry_count() == a.index.size());
      CHECK(plane.dot(x) == dot(a, x));
      Vector sum = x;
      Vector expected = x;
      plane.add_to(0.3, sum);
      axpy(0.3, a, expected);
      CHECK(sum == expected);
      Vector scattered(dimension, 0.0);
      plane.scatter(scattered);
      CHECK(dot(a, scattered) == squared_norm(a));
      plane.unscatter(scattered);
      CHECK(scattered == Vector(dimension, 0.0));
    }
  }
}
