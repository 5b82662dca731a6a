#include "command/confused_classes.hpp"

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
  return confused.part();
}

}  // namespace

TEST_CASE("classes are confused by chance if they are noise, and never if they are far apart") {
  CHECK(part_of_confused(0) == doctest::Approx(0.5).epsilon(0.25));
  CHECK(part_of_confused(20) == 0);
  const double some = part_of_confused(2);
  CHECK(some > 0.02);
  CHECK(some < 0.35);
}

TEST_CASE("without pairs classes count as confused by chance") {
  CHECK(ConfusedClasses().part() == 0.5);
}

TEST_CASE("pairs that no other pair says anything about are confused") {
  ConfusedClasses confused;
  SparseVector truth;
  truth.index = {0};
  truth.value = {1};
  SparseVector guess;
  guess.index = {1};
  guess.value = {1};
  confused.add(truth, guess);
  CHECK(confused.part() == 1);
}
