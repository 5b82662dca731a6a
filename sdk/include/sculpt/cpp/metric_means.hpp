// metric_means.hpp - metrics that are means over the examples for which they are defined.
//
// SPDX-License-Identifier: Apache-2.0
//
// For losses and datasets that measure each example by itself; metrics[] is theirs:
//
//   enum class Metric { f1, precision };                      in the order of metrics[]
//   static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));
//
//   sculpt::add_to_mean(sums, Metric::f1, value);             in add_metrics, where there is one
//   sculpt::finish_means(sums, values);                       in finish_metrics
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace sculpt {

// Of each metric the sum of its values and how many examples have one.
constexpr std::int64_t sums_of_means(std::size_t metrics) {
  return static_cast<std::int64_t>(2 * metrics);
}

// Requires the place of a metric, as an enumerator or a number.
template <class Metric>
void add_to_mean(std::span<double> sums, Metric metric, double value) {
  const auto place = 2 * static_cast<std::size_t>(metric);
  sums[place] += value;
  sums[place + 1] += 1;
}

// NaN where no example has one. sums[sums_of_means(values.size())]
inline void finish_means(std::span<const double> sums, std::span<double> values) {
  for (std::size_t metric = 0; metric < values.size(); ++metric) {
    const double examples = sums[2 * metric + 1];
    values[metric] =
        examples > 0 ? sums[2 * metric] / examples : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace sculpt
