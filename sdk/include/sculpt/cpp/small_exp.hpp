// small_exp.hpp - exp() and tanh() that compilers vectorize, with the same bits on every machine.
//
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the C library have variants for each processor, which differ in the last bits.
// Compile with -ffp-contract=off where the compiler may fuse products and sums. Used by the
// forward-backward passes of chains, and by kernels. [any]
#pragma once

#include <bit>
#include <cstdint>

namespace sculpt {

inline constexpr double smallest_exponent = -700;

namespace detail {

// tanh(r / 2) = odd / even for |r| <= ln 2 / 2: the Pade approximant of order (6, 6), whose error
// is below 1e-18.
struct HalfTanh {
  double odd;
  double even;
};
inline HalfTanh half_tanh(double r) {
  const double s = r * r;
  return {r * (1.0 / 2 + s * (1.0 / 66 + s * (1.0 / 15840))),
          1 + s * (5.0 / 44 + s * (1.0 / 792 + s * (1.0 / 665280)))};
}

}  // namespace detail

// Returns exp(x) for smallest_exponent <= x <= 0, within two units in the last place. exp(0) is 1.
//
//   x = n ln 2 + r,  |r| <= ln 2 / 2,   exp(x) = 2^n exp(r) = 2^n (1 + 2 odd / (even - odd))
inline double small_exp(double x) {
  constexpr double to_integer = 6755399441055744.0;  // 1.5 * 2^52: the sum is rounded to integers
  constexpr double ln_2_high = 0x1.62e42feep-1;      // 33 bits: n * ln_2_high is exact
  constexpr double ln_2_low = 0x1.a39ef35793c76p-33;
  const double shifted = x * 0x1.71547652b82fep+0 + to_integer;
  const double n = shifted - to_integer;
  const double r = (x - n * ln_2_high) - n * ln_2_low;
  const detail::HalfTanh t = detail::half_tanh(r);
  const double quotient = t.odd / (t.even - t.odd);
  const double exp_r = 1 + (quotient + quotient);
  // Adds n, the lowest bits of `shifted`, to the exponent.
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(exp_r) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}

// Returns exp(x) for x <= 0; 0 below smallest_exponent.
inline double negative_exp(double x) {
  const double e = small_exp(x < smallest_exponent ? smallest_exponent : x);
  return x < smallest_exponent ? 0.0 : e;
}

// Returns tanh(x) within a few units in the last place. tanh(-x) is -tanh(x).
inline double small_tanh(double x) {
  const double size = x < 0 ? -x : x;
  const double near_zero = size < 0.17 ? size : 0.17;
  const detail::HalfTanh t = detail::half_tanh(2 * near_zero);
  const double e = negative_exp(-2 * size);
  const double result = size < 0.17 ? t.odd / t.even : (1 - e) / (1 + e);
  return x < 0 ? -result : result;
}

}  // namespace sculpt
