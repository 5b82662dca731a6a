#include "linalg/compressed_vector.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("a kept vector comes back to the bit, sparse or dense, one after the other") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  CompressedVector kept(500);
  CHECK(kept.restored() == Vector(500, 0.0));
  for (const double share : {1.0, 0.1, 0.0, 0.9, 0.5}) {
    Vector x(500, 0.0);
    for (double& value : x) {
      if (std::uniform_real_distribution<double>()(random) < share) value = normal(random);
    }
    kept.keep(x);
    CHECK(kept.restored() == x);
  }
}

TEST_CASE("a zero with a sign is a zero, and comes back without the sign from a sparse copy") {
  Vector x(100, -0.0);
  x[7] = 1;
  CompressedVector kept(100);
  kept.keep(x);
  CHECK(kept.restored() == x);
  CHECK_FALSE(std::signbit(kept.restored()[0]));
  x.assign(100, 2.0);
  x[3] = -0.0;
  kept.keep(x);
  CHECK(kept.restored() == x);
}

TEST_CASE("restoring into room with other numbers leaves none of them") {
  Vector sparse(100, 0.0);
  sparse[99] = 3;
  const Vector dense(100, 2.0);
  const Vector zeros(100, 0.0);
  CompressedVector kept(100);
  for (const Vector& x : {zeros, sparse, dense, sparse, zeros}) {
    kept.keep(x);
    Vector room(100, std::nan(""));
    kept.restore(room);
    CHECK(room == x);
  }
}

TEST_CASE("what a kept vector saves comes back to the bit, and only in its dimension") {
  Vector sparse(100, 0.0);
  sparse[99] = 3;
  for (const Vector& x : {Vector(100, 0.0), sparse, Vector(100, 0.1)}) {
    CompressedVector kept(100);
    kept.keep(x);
    MemoryReader in(saved(kept));
    CompressedVector loaded(100);
    loaded.load(in);
    CHECK(in.left() == 0);
    CHECK(loaded.restored() == x);
    MemoryReader again(saved(kept));
    CompressedVector smaller(99);
    const Refusal refusal = refusal_of([&] { smaller.load(again); });
    CHECK(refusal.exit == (x[99] == 0 ? Exit::reached : Exit::data));  // no weights fit anywhere
  }
}
