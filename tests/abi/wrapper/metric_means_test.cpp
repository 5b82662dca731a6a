// Metrics that are means over the examples that have them.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <sculpt/cpp/metric_means.hpp>

namespace {

enum class Metric { error, recall, rank };

TEST_CASE("a metric is the mean over the examples that have it, and NaN if none has it") {
  std::array<double, sculpt::sums_of_means(3)> sums{};
  sculpt::add_to_mean(sums, Metric::error, 1);
  sculpt::add_to_mean(sums, Metric::error, 0);
  sculpt::add_to_mean(sums, Metric::error, 0.5);
  sculpt::add_to_mean(sums, Metric::recall, 0.25);
  std::array<double, 3> values{};
  sculpt::finish_means(sums, values);
  CHECK(values[0] == 0.5);
  CHECK(values[1] == 0.25);
  CHECK(std::isnan(values[2]));
}

}  // namespace
