// The weights of generative are the logarithms of smoothed relative frequencies.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "solver/generative/relative_frequencies.hpp"

using namespace sculpt::core;
using doctest::Approx;

TEST_CASE("weights are log frequencies within a group, and ungrouped_weight without a group") {
  const std::vector<double> counts = {3, 1, 0, 5, 7};
  const std::vector<std::int32_t> groups = {0, 0, 0, 2, -1};
  Smoothing smoothing;
  smoothing.pseudo_count = 0.5;
  smoothing.ungrouped_weight = -2;
  const Vector w = log_relative_frequencies(counts, groups, smoothing);
  CHECK(w[0] == Approx(std::log(3.5 / 5.5)));
  CHECK(w[1] == Approx(std::log(1.5 / 5.5)));
  CHECK(w[2] == Approx(std::log(0.5 / 5.5)));
  CHECK(w[3] == 0);  // alone in its group
  CHECK(w[4] == -2);
}

TEST_CASE("without smoothing a count of 0 gives -100, and a group without counts is uniform") {
  Smoothing smoothing;
  smoothing.pseudo_count = 0;
  const Vector w = log_relative_frequencies(std::vector<double>{4, 0, 0, 0, 0},
                                            std::vector<std::int32_t>{0, 0, 1, 1, 1}, smoothing);
  CHECK(w[0] == 0);
  CHECK(w[1] == -100);
  for (std::size_t j = 2; j < 5; ++j) CHECK(w[j] == Approx(-std::log(3.0)));
}
