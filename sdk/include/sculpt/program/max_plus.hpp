// max_plus.hpp - operations on rows of a table under (max, +). Used by best.hpp and frontier.hpp,
// and by searches over chains.
//
// SPDX-License-Identifier: Apache-2.0
//
// Plain loops that the compiler vectorizes: they take the larger number without a branch. Numbers
// are finite or -infinity. [any]
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sculpt::program {

// target[k] = max(target[k], value + row[k]) for k < size. The two rows must not overlap.
inline void raise_row(double* __restrict target, const double* __restrict row, std::int64_t size,
                      double value) {
  for (std::int64_t k = 0; k < size; ++k) {
    const double sum = value + row[k];
    target[k] = sum > target[k] ? sum : target[k];
  }
}

// target[k] = max over j < rows of value[j * step] + table[j * step * stride + k], for k < size.
// Requires rows >= 1. Handles two rows at a time, so that a maximum is read and written half as
// often. A step above 1 skips rows.
inline void largest_of_columns(const double* __restrict value, std::int64_t rows,
                               const double* __restrict table, std::int64_t stride,
                               std::int64_t size, double* __restrict target,
                               std::int64_t step = 1) {
  for (std::int64_t k = 0; k < size; ++k) target[k] = value[0] + table[k];
  const std::int64_t row_stride = step * stride;
  std::int64_t j = 1;
  for (; j + 2 <= rows; j += 2) {
    const double* const first_row = table + j * row_stride;
    const double* const second_row = first_row + row_stride;
    const double first = value[j * step];
    const double second = value[(j + 1) * step];
    for (std::int64_t k = 0; k < size; ++k) {
      const double a = first + first_row[k];
      const double b = second + second_row[k];
      const double larger = b > a ? b : a;
      target[k] = larger > target[k] ? larger : target[k];
    }
  }
  if (j < rows) raise_row(target, table + j * row_stride, size, value[j * step]);
}

// Returns max over k < size of a[k] + b[k * stride], -infinity if size is 0. A maximum does not
// depend on the order, so several run in parallel.
inline double largest_sum(const double* a, const double* b, std::int64_t stride,
                          std::int64_t size) {
  constexpr std::int64_t lanes = 4;
  std::array<double, lanes> largest;
  largest.fill(-std::numeric_limits<double>::infinity());
  const auto raise = [&](std::int64_t lane, std::int64_t k) {
    double& maximum = largest[static_cast<std::size_t>(lane)];
    const double sum = a[k] + b[k * stride];
    maximum = sum > maximum ? sum : maximum;
  };
  std::int64_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) raise(lane, k + lane);
  }
  for (; k < size; ++k) raise(0, k);
  return *std::max_element(largest.begin(), largest.end());
}

// Returns the first k < size with the largest a[k] + b[k * stride]. Requires size >= 1.
inline std::int64_t first_largest_sum(const double* a, const double* b, std::int64_t stride,
                                      std::int64_t size) {
  std::int64_t argmax = 0;
  double maximum = a[0] + b[0];
  for (std::int64_t k = 1; k < size; ++k) {
    const double sum = a[k] + b[k * stride];
    if (sum > maximum) maximum = sum, argmax = k;
  }
  return argmax;
}

}  // namespace sculpt::program
