// ConfusedClasses: the share of pairs of classes that are hard to separate.

#include "command/data/confused_classes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace sculpt::core;

namespace {

// Returns the share for examples with three columns for each of four classes, of sizes 1, 1e3, 1e6.
// In units of the deviation, column j has the mean 4 + `distance` in class j and 4 in the others.
double share_at_distance(double distance) {
  constexpr std::int32_t columns = 3;
  constexpr std::int32_t classes = 4;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  ConfusedClasses confused;
  for (int pair = 0; pair < 200; ++pair) {
    const std::int32_t truth = pair % classes;
    const std::int32_t guess = (truth + 1 + pair / classes % (classes - 1)) % classes;
    SparseVector truth_psi;
    SparseVector guess_psi;
    for (std::int32_t j = 0; j < columns; ++j) {
      const double mean = 4 + (truth == j ? distance : 0);
      const double value = std::pow(1e3, j) * (mean + normal(random));
      truth_psi.index.push_back(columns * truth + j);
      truth_psi.value.push_back(value);
      guess_psi.index.push_back(columns * guess + j);
      guess_psi.value.push_back(value);
    }
    confused.add(truth_psi, guess_psi);
  }
  REQUIRE(confused.confused_fraction().has_value());
  return *confused.confused_fraction();
}

}  // namespace

TEST_CASE("half of the pairs are confused if classes are noise, none if classes are far apart") {
  CHECK(share_at_distance(0) == doctest::Approx(0.5).epsilon(0.25));
  CHECK(share_at_distance(20) == 0);
  const double some = share_at_distance(2);
  CHECK(some > 0.02);
  CHECK(some < 0.35);
}

TEST_CASE("the share is unknown if few other pairs have a column, as with a thousand classes") {
  CHECK_FALSE(ConfusedClasses().confused_fraction().has_value());
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  ConfusedClasses confused;
  for (std::int32_t pair = 0; pair < 200; ++pair) {
    const auto truth = static_cast<std::int32_t>(random() % 1000);
    const std::int32_t guess = (truth + 1 + static_cast<std::int32_t>(random() % 999)) % 1000;
    confused.add({{truth}, {5 + normal(random)}}, {{guess}, {5 + normal(random)}});
  }
  CHECK_FALSE(confused.confused_fraction().has_value());
}

TEST_CASE("the share of confused pairs is at most a half") {
  ConfusedClasses confused;
  for (int pair = 0; pair < 200; ++pair) {
    const double value = 5 + (pair % 2 == 0 ? 1.0 : -1.0) * (1 + pair / 4 % 3);
    confused.add({{pair % 3}, {value}}, {{(pair + 1) % 3}, {value}});
  }
  CHECK(confused.confused_fraction().value() <= 0.5);
}
