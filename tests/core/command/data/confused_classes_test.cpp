#include "command/data/confused_classes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace sculpt::core;

namespace {

// Of examples with three columns for each of four classes, of sizes 1, 1e3 and 1e6. Their means are
// `distance` deviations apart from that of all classes, which is not 0.
double part_of_confused(double distance) {
  constexpr std::int32_t columns = 3;
  constexpr std::int32_t classes = 4;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  ConfusedClasses confused;
  for (int pair = 0; pair < 200; ++pair) {
    const std::int32_t truth = pair % classes;
    const std::int32_t guess = (truth + 1 + pair / classes % (classes - 1)) % classes;
    SparseVector of_truth;
    SparseVector of_guess;
    for (std::int32_t j = 0; j < columns; ++j) {
      const double mean = 4 + (truth == j ? distance : 0);
      const double value = std::pow(1e3, j) * (mean + normal(random));
      of_truth.index.push_back(columns * truth + j);
      of_truth.value.push_back(value);
      of_guess.index.push_back(columns * guess + j);
      of_guess.value.push_back(value);
    }
    confused.add(of_truth, of_guess);
  }
  REQUIRE(confused.part().has_value());
  return *confused.part();
}

}  // namespace

TEST_CASE("classes are confused by chance if they are noise, and never if they are far apart") {
  CHECK(part_of_confused(0) == doctest::Approx(0.5).epsilon(0.25));
  CHECK(part_of_confused(20) == 0);
  const double some = part_of_confused(2);
  CHECK(some > 0.02);
  CHECK(some < 0.35);
}

TEST_CASE("where few other pairs have a column nothing is known, as with a thousand classes") {
  CHECK_FALSE(ConfusedClasses().part().has_value());
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  ConfusedClasses confused;
  for (std::int32_t pair = 0; pair < 200; ++pair) {
    const auto truth = static_cast<std::int32_t>(random() % 1000);
    const std::int32_t guess = (truth + 1 + static_cast<std::int32_t>(random() % 999)) % 1000;
    confused.add({{truth}, {5 + normal(random)}}, {{guess}, {5 + normal(random)}});
  }
  CHECK_FALSE(confused.part().has_value());
}

TEST_CASE("no more than half of the pairs are said to be confused") {
  ConfusedClasses confused;
  for (int pair = 0; pair < 200; ++pair) {
    const double value = 5 + (pair % 2 == 0 ? 1.0 : -1.0) * (1 + pair / 4 % 3);
    confused.add({{pair % 3}, {value}}, {{(pair + 1) % 3}, {value}});
  }
  CHECK(confused.part().value() <= 0.5);
}
