// small_exp() and small_tanh() are those of the C library up to a few units in the last place.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sculpt/cpp/small_exp.hpp>

namespace {

// The difference, in units in the last place of `right`.
double units(double value, double right) {
  return std::abs(value - right) / (std::nextafter(std::abs(right), INFINITY) - std::abs(right));
}

}  // namespace

TEST_CASE("small_exp is exp up to two units in the last place") {
  std::mt19937_64 random(1);
  for (const double scale : {1e-12, 1e-3, 1.0, 40.0, 700.0}) {
    std::uniform_real_distribution<double> uniform(-scale, 0);
    for (int trial = 0; trial < 5000; ++trial) {
      const double x = uniform(random);
      REQUIRE(units(sculpt::small_exp(x), std::exp(x)) <= 2);
      REQUIRE(sculpt::negative_exp(x) == sculpt::small_exp(x));
    }
  }
  CHECK(sculpt::small_exp(0) == 1);
  CHECK(sculpt::small_exp(-0.0) == 1);
  CHECK(sculpt::negative_exp(-701) == 0);
  CHECK(sculpt::negative_exp(-INFINITY) == 0);
}

TEST_CASE("small_tanh is tanh up to four units in the last place, and odd") {
  std::mt19937_64 random(2);
  for (const double scale : {1e-12, 1e-3, 0.1, 0.2, 1.0, 20.0, 1000.0}) {
    std::uniform_real_distribution<double> uniform(0, scale);
    for (int trial = 0; trial < 5000; ++trial) {
      const double x = uniform(random);
      REQUIRE(units(sculpt::small_tanh(x), std::tanh(x)) <= 4);
      REQUIRE(sculpt::small_tanh(-x) == -sculpt::small_tanh(x));
    }
  }
  CHECK(sculpt::small_tanh(0) == 0);
  CHECK(sculpt::small_tanh(INFINITY) == 1);
  CHECK(sculpt::small_tanh(-INFINITY) == -1);
}
