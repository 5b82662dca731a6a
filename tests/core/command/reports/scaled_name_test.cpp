// scaled_name: finds the divisor that scaling has written into the name of a feature.

#include "command/reports/scaled_name.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

void check_scaled(const std::string& name, const std::string& expected_name, double divisor) {
  const WeightUnit scaled = scaled_name(name);
  CHECK(scaled.name == expected_name);
  REQUIRE(scaled.divisor);
  CHECK(*scaled.divisor == divisor);
}

}  // namespace

TEST_CASE("a scaled name is split into name and divisor, wherever the divisor stands in it") {
  check_scaled("income (/ 81000)", "income", 81000);
  check_scaled("income (- 40000, / 0.1), label 1", "income, label 1", 0.1);
  check_scaled("cites 3 (- -1e-05, / 1e+300), labels a b", "cites 3, labels a b", 1e300);
}

TEST_CASE("a name without a divisor, with several or with an impossible one is not changed") {
  for (const std::string name :
       {"bias", "3 (/ 4) of 5 (/ 6)", "a (/ b)", "a (/ 5", "a (/ 0)", "a (/ -2)", "a (/ inf)",
        "a (- 1 / 2)", "a (- x, / 2)", "a (constant, left out)", "a(/ 2)", ""}) {
    const WeightUnit scaled = scaled_name(name);
    CHECK(scaled.name == name);
    CHECK_FALSE(scaled.divisor);
  }
}
