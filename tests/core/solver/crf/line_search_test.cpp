// LineSearch: accepted steps satisfy the conditions of Wolfe, for functions with known minima.

#include "solver/crf/line_search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace sculpt::core;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::function<double(double)> value;
  std::function<double(double)> slope;
};

const Curve parabola{[](double t) { return (t - 3) * (t - 3); },
                     [](double t) { return 2 * (t - 3); }};
const Curve steep{[](double t) { return std::exp(40 * t - 8) - t; },
                  [](double t) { return 40 * std::exp(40 * t - 8) - 1; }};
const Curve flat{[](double t) { return std::log(1 + std::exp(-t)) + 1e-6 * t * t; },
                 [](double t) { return -1 / (1 + std::exp(t)) + 2e-6 * t; }};

// The accepted step, and the number of trials.
std::pair<double, int> search(const Curve& curve, double first, bool knows_slopes) {
  LineSearch line;
  line.begin(curve.value(0), curve.slope(0), first);
  for (int trials = 1; trials < 100; ++trials) {
    const double t = line.step();
    if (line.accepts({curve.value(t), t * curve.slope(0), knows_slopes ? curve.slope(t) : nan_value,
                      1e-14})) {
      return {t, trials};
    }
    if (line.is_stuck()) break;
  }
  return {0, 100};
}

}  // namespace

TEST_CASE("an accepted step satisfies the conditions of Wolfe after few trials") {
  for (const Curve& curve : {parabola, steep, flat}) {
    for (const double first : {1e-6, 0.01, 1.0, 1e4}) {
      CAPTURE(first);
      const auto [step, trials] = search(curve, first, true);
      REQUIRE(step > 0);
      CHECK(trials < 30);
      CHECK(curve.value(step) <= curve.value(0) + 1e-4 * step * curve.slope(0));
      CHECK(curve.slope(step) >= 0.9 * curve.slope(0));
    }
  }
}

TEST_CASE("without slopes the step is halved until P falls enough") {
  const auto [step, trials] = search(steep, 1, false);
  REQUIRE(step > 0);
  CHECK(steep.value(step) <= steep.value(0) + 1e-4 * step * steep.slope(0));
  CHECK(search(parabola, 0.5, false) == std::pair{0.5, 1});
}

TEST_CASE("a search along which P only rises is stuck") {
  for (const bool knows_slopes : {false, true}) {
    const Curve wrong{[](double t) { return t; }, [](double) { return -1.0; }};
    CHECK(search(wrong, 1, knows_slopes).second == 100);
  }
}

TEST_CASE("where P changes by rounding only, the slope decides") {
  LineSearch line;
  line.begin(1, -1e-9, 1);
  CHECK(line.accepts({1 + 1e-16, -1e-9, 1e-10, 1e-14}));  // past the minimum, and flat
  line.begin(1, -1e-9, 1);
  CHECK_FALSE(line.accepts({1 + 1e-16, -1e-9, 5e-9, 1e-14}));  // far past it
  CHECK(line.step() < 1);
  line.begin(1, -1e-9, 1);
  CHECK_FALSE(line.accepts({1 + 1e-10, -1e-9, 1e-10, 1e-14}));  // no rounding
}
