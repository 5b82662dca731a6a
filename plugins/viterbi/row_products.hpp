// row_products.hpp - exponentials, sums and products over rows of a table. Used by the
// forward-backward passes of chains.
//
// Plain loops that the compiler vectorizes: sums of a row have four lanes. Every sum has a fixed
// order, so equal numbers give equal bytes. The rows of a call must not overlap. [any]
#pragma once

#include <array>
#include <cstddef>
#include <sculpt/cpp/small_exp.hpp>

namespace rows {

inline constexpr std::size_t lanes = 4;
using Lanes = std::array<double, lanes>;

// The smallest and the largest of some numbers. is_number: none of them is NaN.
struct Range {
  double lowest;
  double largest;
  bool is_number;
};
// Requires size >= 1.
inline Range range_of(const double* values, std::size_t size) {
  Lanes lowest, largest, not_numbers{};
  lowest.fill(values[0]);
  largest.fill(values[0]);
  const auto add = [&](std::size_t lane, double value) {
    lowest[lane] = value < lowest[lane] ? value : lowest[lane];
    largest[lane] = value > largest[lane] ? value : largest[lane];
    not_numbers[lane] += value == value ? 0.0 : 1.0;
  };
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, values[k + lane]);
  }
  for (; k < size; ++k) add(0, values[k]);
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    add(0, lowest[lane]);
    add(0, largest[lane]);
    not_numbers[0] += not_numbers[lane];
  }
  return {lowest[0], largest[0], not_numbers[0] == 0};
}

using sculpt::small_exp;
using sculpt::smallest_exponent;

// out[k] = exp(scores[k] - range.largest), or 0 if that is below exp(smallest_exponent). Requires
// the range of the scores, with a finite largest.
inline void exponentiate(const double* __restrict scores, std::size_t size, const Range& range,
                         double* __restrict out) {
  if (range.lowest - range.largest >= smallest_exponent) {
    for (std::size_t k = 0; k < size; ++k) out[k] = small_exp(scores[k] - range.largest);
    return;
  }
  for (std::size_t k = 0; k < size; ++k) {
    const double exponent = scores[k] - range.largest;
    out[k] = exponent < smallest_exponent ? 0.0 : small_exp(exponent);
  }
}

// Adds the lanes, and product(k) for k from `from` to `size`.
template <class Product>
double sum_of_lanes(const Lanes& sum, std::size_t from, std::size_t size, Product product) {
  double total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  for (std::size_t k = from; k < size; ++k) total += product(k);
  return total;
}
// Returns the sum of product(k) over k < size.
template <class Product>
double sum_over(std::size_t size, Product product) {
  Lanes sum{};
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += product(k + lane);
  }
  return sum_of_lanes(sum, k, size, product);
}
inline double dot(const double* a, const double* b, std::size_t size) {
  return sum_over(size, [&](std::size_t k) { return a[k] * b[k]; });
}

// target[k] += value * row[k]
inline void add_row(double value, const double* __restrict row, std::size_t size,
                    double* __restrict target) {
  for (std::size_t k = 0; k < size; ++k) target[k] += value * row[k];
}

// target[k] = sum over j < count of value[j * step] * table[j * stride + k], for k < size; with
// `add`, this is added to target[k]. Requires count >= 1. Takes four rows at a time, so that a sum
// is read and written seldom.
template <bool add>
void weighted_sum(const double* __restrict value, std::size_t step, std::size_t count,
                  const double* __restrict table, std::size_t stride, std::size_t size,
                  double* __restrict target) {
  std::size_t j = 0;
  if constexpr (!add) {
    for (std::size_t k = 0; k < size; ++k) target[k] = value[0] * table[k];
    j = 1;
  }
  for (; j + 4 <= count; j += 4) {
    const double* const a = table + j * stride;
    const double* const b = a + stride;
    const double* const c = b + stride;
    const double* const d = c + stride;
    const double value_a = value[j * step];
    const double value_b = value[(j + 1) * step];
    const double value_c = value[(j + 2) * step];
    const double value_d = value[(j + 3) * step];
    for (std::size_t k = 0; k < size; ++k) {
      target[k] += (value_a * a[k] + value_b * b[k]) + (value_c * c[k] + value_d * d[k]);
    }
  }
  for (; j < count; ++j) add_row(value[j * step], table + j * stride, size, target);
}

// The same for rows that are not next to each other: target[k] += sum over j of value[j] *
// row[j][k].
inline void add_rows(const std::array<double, 4>& value, const std::array<const double*, 4>& row,
                     std::size_t size, double* __restrict target) {
  const double* const __restrict a = row[0];
  const double* const __restrict b = row[1];
  const double* const __restrict c = row[2];
  const double* const __restrict d = row[3];
  for (std::size_t k = 0; k < size; ++k) {
    target[k] += (value[0] * a[k] + value[1] * b[k]) + (value[2] * c[k] + value[3] * d[k]);
  }
}

inline double sum(const double* values, std::size_t size) {
  return sum_over(size, [values](std::size_t k) { return values[k]; });
}
inline void multiply(double* __restrict target, const double* __restrict factors,
                     std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) target[k] *= factors[k];
}
inline void scale(double* target, double factor, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) target[k] *= factor;
}
// target[k] += factor[k] * row[k]
inline void add_products(double* __restrict target, const double* __restrict factors,
                         const double* __restrict row, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) target[k] += factors[k] * row[k];
}

}  // namespace rows
