// Regularizer: f, and the gap f(w) + f*(v) - <w, v> by another way.

#include "objective/regularizer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "parallel/blocks.hpp"

using namespace sculpt::core;

namespace {

// f*(v) of one coordinate: the largest v w - f(w) on a fine grid.
double conjugate_on_grid(double v, double l1, bool is_bounded) {
  double best = 0;
  for (int k = is_bounded ? 0 : -40000; k <= 40000; ++k) {
    const double w = k / 4000.0;
    best = std::max(best, v * w - 0.5 * w * w - l1 * std::abs(w));
  }
  return best;
}

}  // namespace

TEST_CASE("the gap of a regularizer is f(w) + f*(v) - <w, v>, and never negative") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 2);
  const std::vector<std::uint8_t> bounds = {0, 1};
  for (const double l1 : {0.0, 0.7}) {
    for (const bool is_bounded : {false, true}) {
      const Regularizer regularizer(
          l1, is_bounded ? std::span<const std::uint8_t>(bounds) : std::span<const std::uint8_t>(),
          nullptr);
      CHECK(regularizer.is_smooth() == (l1 == 0 && !is_bounded));
      for (int repetition = 0; repetition < 60; ++repetition) {
        Vector w = {normal(random), normal(random)};
        if (is_bounded) w[1] = std::max(0.0, w[1]);
        if (repetition % 3 == 0) w[0] = 0;
        const Vector v = {normal(random), normal(random)};
        const Vector gradient = {w[0] - v[0], w[1] - v[1]};
        double expected = regularizer.value(w);
        for (std::size_t j = 0; j < 2; ++j) {
          expected += conjugate_on_grid(v[j], l1, regularizer.is_bounded(j)) - w[j] * v[j];
        }
        CHECK(regularizer.gap(w, gradient) == doctest::Approx(expected).epsilon(1e-6));
        CHECK(regularizer.gap(w, gradient) >= 0);
      }
    }
  }
}

TEST_CASE("the gap keeps its digits where w and v almost agree") {
  const Regularizer plain(0, {}, nullptr);
  CHECK(plain.gap({1e8}, {1e-9}) == doctest::Approx(0.5e-18));
  const Regularizer with_l1(3, {}, nullptr);
  CHECK(with_l1.gap({1e8}, {-3 + 1e-9}) == doctest::Approx(0.5e-18).epsilon(1e-5));
  CHECK(with_l1.gap({-1e8}, {3 - 1e-9}) == doctest::Approx(0.5e-18).epsilon(1e-5));
}

TEST_CASE("threads: sums over blocks do not depend on the number of threads") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Vector w(100000);
  Vector gradient(w.size());
  for (double& one : w) one = normal(random);
  for (double& one : gradient) one = normal(random);
  const Regularizer alone(0.5, {}, nullptr);
  const double value = alone.value(w);
  const double gap = alone.gap(w, gradient);
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    const Regularizer shared(0.5, {}, &workers);
    CHECK(shared.value(w) == value);
    CHECK(shared.gap(w, gradient) == gap);
    CHECK(dot_in_blocks(&workers, w, gradient) == dot_in_blocks(nullptr, w, gradient));
  }
}
