// metric_means.hpp - metrics that are means over the examples for which they are defined.
//
// SPDX-License-Identifier: Apache-2.0
//
// For losses and datasets that measure each example separately. They declare metrics[]:
//
//   enum class Metric { f1, precision };                      in the order of metrics[]
//   static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));
//
//   sculpt::add_to_mean(sums, Metric::f1, value);             in add_metrics, if there is one
//   sculpt::finish_means(sums, values);                       in finish_metrics
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace sculpt {

// The number of sums: for each metric the sum of its values, and the number of examples that have a
// value.
constexpr std::int64_t sums_of_means(std::size_t metrics) {
  return static_cast<std::int64_t>(2 * metrics);
}

// `metric` is an index of metrics[], as an enumerator or a number.
template <class Metric>
void add_to_mean(std::span<double> sums, Metric metric, double value) {
  const auto index = 2 * static_cast<std::size_t>(metric);
  sums[index] += value;
  sums[index + 1] += 1;
}

// Writes the mean of each metric, NaN if no example has a value. sums[sums_of_means(values.size())]
inline void finish_means(std::span<const double> sums, std::span<double> values) {
  for (std::size_t metric = 0; metric < values.size(); ++metric) {
    const double examples = sums[2 * metric + 1];
    values[metric] =
        examples > 0 ? sums[2 * metric] / examples : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace sculpt
