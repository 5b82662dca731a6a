#include "linalg/kept_vector.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace sculpt::core;

TEST_CASE("a kept vector comes back to the bit, sparse or dense, one after the other") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  KeptVector kept(500);
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
