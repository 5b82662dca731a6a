// Axes: positions worked out by hand, ticks that people would choose, and values without a place.

#include "report/figure/scale.hpp"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <limits>

using namespace sculpt::core;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Scale scale_of(ScaleKind kind, const std::vector<double>& values) {
  return {kind, values, 0, 100};
}

std::string labels(const Scale& scale, int max_count = 6) {
  std::string text;
  for (const Tick& tick : scale.ticks(max_count)) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

}  // namespace

TEST_CASE("a linear scale maps its ends to the ends") {
  const Scale scale = scale_of(ScaleKind::linear, {2, 10, 4});
  CHECK(scale.position(2) == 0);
  CHECK(scale.position(10) == 100);
  CHECK(scale.position(4) == doctest::Approx(25));
  CHECK(scale.position(-50) == 0);
}

TEST_CASE("a log scale maps equal factors to equal lengths") {
  const Scale scale = scale_of(ScaleKind::log, {1, 10000});
  CHECK(scale.position(10) == doctest::Approx(25));
  CHECK(scale.position(100) == doctest::Approx(50));
  CHECK(scale.position(1000) == doctest::Approx(75));
}

TEST_CASE("0, negative and unknown values have no place on a log scale and do not change it") {
  CHECK_FALSE(Scale::has_place(ScaleKind::log, 0));
  CHECK_FALSE(Scale::has_place(ScaleKind::log, -1));
  CHECK_FALSE(Scale::has_place(ScaleKind::log, not_a_number));
  CHECK_FALSE(Scale::has_place(ScaleKind::linear, infinite));
  CHECK(Scale::has_place(ScaleKind::linear, -1));
  const Scale scale = scale_of(ScaleKind::log, {0, -5, not_a_number, infinite, 1, 100});
  CHECK(scale.lower() == 1);
  CHECK(scale.upper() == 100);
}

TEST_CASE("ticks are round numbers") {
  CHECK(labels(scale_of(ScaleKind::linear, {0, 1})) == "0 0.2 0.4 0.6 0.8 1");
  CHECK(labels(scale_of(ScaleKind::linear, {0, 37})) == "0 10 20 30");
  CHECK(labels(scale_of(ScaleKind::linear, {-3, 3})) == "-2 0 2");
  CHECK(labels(scale_of(ScaleKind::linear, {0.1, 0.32})) == "0.1 0.15 0.2 0.25 0.3");
  CHECK(labels(scale_of(ScaleKind::log, {1, 1000})) == "1 10 100 1000");
  CHECK(labels(scale_of(ScaleKind::log, {600, 17000})) == "1000 2000 5000 10000");
  CHECK(labels(scale_of(ScaleKind::log, {1e-9, 1e3})) == "10⁻⁹ 10⁻⁶ 0.001 1 1000");
  CHECK(labels(scale_of(ScaleKind::log, {20, 90})) == "20 40 60 80");
  // 1 2 5 10 20 would be the first five of six.
  CHECK(labels(scale_of(ScaleKind::log, {1, 80}), 5) == "1 5 10 50");
  // Steps of 0.05 would leave 0.15 alone.
  CHECK(labels(scale_of(ScaleKind::log, {0.111, 0.195}), 5) == "0.12 0.14 0.16 0.18");
}

TEST_CASE("there are never more ticks than asked for, and all are within the scale") {
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log}) {
    for (const double lower : {1e-300, 1e-12, 0.37, 1.0, 12345.0}) {
      for (const double factor : {1.0, 1.001, 1.7, 9.0, 31.0, 1e5, 1e290}) {
        if (!std::isfinite(lower * factor)) continue;
        const Scale scale = scale_of(kind, {lower, lower * factor});
        for (const int max_count : {2, 5, 8}) {
          CAPTURE(lower);
          CAPTURE(factor);
          const std::vector<Tick> ticks = scale.ticks(max_count);
          CHECK(std::ssize(ticks) <= max_count);
          if (max_count >= 5) CHECK(ticks.size() >= 2);
          for (std::size_t k = 0; k < ticks.size(); ++k) {
            CHECK(ticks[k].value >= scale.lower() - 1e-8 * scale.upper());
            CHECK(ticks[k].value <= scale.upper() * (1 + 1e-8));
            if (k > 0) CHECK(ticks[k].value > ticks[k - 1].value);
          }
        }
      }
    }
  }
}

TEST_CASE("equal, missing and enormous values still make a scale") {
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log}) {
    for (const std::vector<double>& values : {std::vector<double>{},
                                              {not_a_number},
                                              {0},
                                              {5},
                                              {5, 5},
                                              {-7},
                                              {DBL_MAX},
                                              {-DBL_MAX, DBL_MAX},
                                              {DBL_MIN},
                                              {DBL_MIN, DBL_MAX}}) {
      const Scale scale = scale_of(kind, values);
      CHECK(scale.upper() > scale.lower());
      CHECK(std::isfinite(scale.position(scale.lower())));
      CHECK(std::isfinite(scale.position(scale.upper())));
      CHECK(scale.ticks(5).size() <= 5);
    }
  }
}

TEST_CASE("labels of ticks: small and large numbers as powers of ten") {
  CHECK(tick_text(0) == "0");
  CHECK(tick_text(0.001) == "0.001");
  CHECK(tick_text(0.0001) == "10⁻⁴");
  CHECK(tick_text(2e-7) == "2·10⁻⁷");
  CHECK(tick_text(-3e12) == "-3·10¹²");
  CHECK(tick_text(99999) == "99999");
  CHECK(tick_text(100000) == "10⁵");
}
