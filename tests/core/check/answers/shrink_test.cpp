// shrink_values: makes a failing case simple, and the case still fails.

#include "check/answers/shrink.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sculpt::core;
using Values = std::vector<double>;

TEST_CASE("shrink_values keeps the values that are needed, as small whole numbers") {
  Values values = {3.7, -8, 0.2, 5.5, -0.1, 12};
  const auto fails = [](const Values& v) { return v[1] < 0 && v[3] > 1.5; };
  shrink_values(values, fails, 1000);
  CHECK(values == Values{0, -1, 0, 2, 0, 0});
}

TEST_CASE("shrink_values never returns a case that does not fail") {
  Values values = {1.25, 2.5, -3.75, 0.5};
  const Values first = values;
  const auto fails = [](const Values& v) { return v[0] + v[1] == 3.75; };
  shrink_values(values, fails, 1000);
  CHECK(fails(values));
  CHECK(values[2] == 0);
  CHECK(values[3] == 0);
  CHECK(values[0] == first[0]);
}

TEST_CASE("shrink_values calls the test at most max_calls times") {
  Values values(100, 1.5);
  int calls = 0;
  shrink_values(
      values,
      [&](const Values& v) {
        ++calls;
        return std::count(v.begin(), v.end(), 0.0) < 3;
      },
      50);
  CHECK(calls <= 50);
  CHECK(std::count(values.begin(), values.end(), 0.0) < 3);
}
