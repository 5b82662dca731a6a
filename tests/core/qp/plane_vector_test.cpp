#include "qp/plane_vector.hpp"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

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

TEST_CASE("what a plane saves comes back in the same form") {
  const double root = std::sqrt(3.0);
  const PlaneVector planes[] = {PlaneVector(SparseVector{{0, 9}, {1, -3}}),
                                PlaneVector(SparseVector{{0, 70000}, {root, -3 * root}}),
                                PlaneVector(SparseVector{{3, 9}, {1.5, 0.25}}),
                                PlaneVector(SparseVector{{3, 9}, {0.1, 0.3}}),
                                PlaneVector(SparseVector{}),
                                PlaneVector(Vector(70001, 0.1))};
  const Vector x(70001, 0.7);
  for (const PlaneVector& plane : planes) {
    MemoryReader in(saved(plane));
    const PlaneVector loaded = PlaneVector::load(in, 70001);
    CHECK(in.left() == 0);
    CHECK(loaded.bytes() == plane.bytes());
    CHECK(loaded.dot(x) == plane.dot(x));
    CHECK(saved(loaded) == saved(plane));
  }
}

TEST_CASE("a saved plane that would reach beyond the weights, or is damaged, is refused") {
  const auto refused = [](const std::string& state, std::size_t dimension) {
    MemoryReader in(state);
    return refusal_of([&] { PlaneVector::load(in, dimension); });
  };
  const std::string good = saved(PlaneVector(SparseVector{{3, 9}, {0.1, 0.3}}));
  CHECK(refused(good, 10).exit == Exit::reached);
  CHECK(refused(good, 9).says("beyond the weights"));
  const std::size_t first_index = 1 + 8;
  std::string changed = good;
  changed[0] = 9;
  CHECK(refused(changed, 10).says("form"));
  changed = good;
  changed[1 + 7] = 127;  // the top byte of the length: more than any memory holds
  CHECK(refused(changed, 10).says("longer than what is left"));
  changed = good;
  changed[first_index] = 9;  // 9, 9
  CHECK(refused(changed, 10).says("do not increase"));
  changed = good;
  changed[first_index + 3] = static_cast<char>(0x80);  // negative
  CHECK(refused(changed, 10).says("beyond the weights"));
  changed = good;
  changed[changed.size() - 1] = 127;
  changed[changed.size() - 2] = static_cast<char>(0xf0);
  CHECK(refused(changed, 10).says("not finite"));
}
