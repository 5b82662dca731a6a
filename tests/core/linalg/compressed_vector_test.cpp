// A compressed vector stores dense and sparse vectors, and restores and saves them exactly.

#include "linalg/compressed_vector.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("a compressed vector restores dense and sparse vectors with the same bits") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  CompressedVector stored(500);
  CHECK(stored.restored() == Vector(500, 0.0));
  for (const double share : {1.0, 0.1, 0.0, 0.9, 0.5}) {
    Vector x(500, 0.0);
    for (double& value : x) {
      if (std::uniform_real_distribution<double>()(random) < share) value = normal(random);
    }
    stored.store(x);
    CHECK(stored.restored() == x);
  }
}

TEST_CASE("a compressed vector treats -0 as 0, and a sparse copy restores it as +0") {
  Vector x(100, -0.0);
  x[7] = 1;
  CompressedVector stored(100);
  stored.store(x);
  CHECK(stored.restored() == x);
  CHECK_FALSE(std::signbit(stored.restored()[0]));
  x.assign(100, 2.0);
  x[3] = -0.0;
  stored.store(x);
  CHECK(stored.restored() == x);
}

TEST_CASE("a compressed vector overwrites all entries of the vector that it is restored to") {
  Vector sparse(100, 0.0);
  sparse[99] = 3;
  const Vector dense(100, 2.0);
  const Vector zeros(100, 0.0);
  CompressedVector stored(100);
  for (const Vector& x : {zeros, sparse, dense, sparse, zeros}) {
    stored.store(x);
    Vector restored(100, std::nan(""));
    stored.restore(restored);
    CHECK(restored == x);
  }
}

TEST_CASE("a saved compressed vector is loaded with the same bits, unless indices are too large") {
  Vector sparse(100, 0.0);
  sparse[99] = 3;
  for (const Vector& x : {Vector(100, 0.0), sparse, Vector(100, 0.1)}) {
    CompressedVector stored(100);
    stored.store(x);
    MemoryReader in(saved(stored));
    CompressedVector loaded(100);
    loaded.load(in);
    CHECK(in.bytes_left() == 0);
    CHECK(loaded.restored() == x);
    MemoryReader again(saved(stored));
    CompressedVector smaller(99);
    const Refusal refusal = refusal_of([&] { smaller.load(again); });
    CHECK(refusal.exit == (x[99] == 0 ? Exit::reached : Exit::data));  // zeros are always accepted
  }
}
