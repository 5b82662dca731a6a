// plain_decimal.hpp - fast reader of numbers such as 17, -3 and 0.25, which are most of a data
// file. Several times as fast as std::from_chars.
//
// SPDX-License-Identifier: Apache-2.0
//
// A whole number of at most 15 digits is exact in a double. So is the power of ten for the digits
// after the point. Their quotient, rounded once, is the nearest double (W. Clinger, PLDI 1990),
// which from_chars returns too. All other forms are left to from_chars. Used by number_text.hpp and
// sparse_rows.hpp. [any]
#pragma once

#include <cstddef>
#include <cstdint>

#include "ascii.hpp"

namespace sculpt {

constexpr std::ptrdiff_t max_plain_digits = 15;

// Reads digits from `at` on and appends them to the decimal number `value`. Returns the end of the
// digits. `value` may have overflowed if there are more than max_plain_digits.
constexpr const char* read_digits(const char* at, const char* end, std::uint64_t& value) {
  while (at != end && is_digit(*at)) value = 10 * value + static_cast<std::uint64_t>(*at++ - '0');
  return at;
}

// Reads [-]digits[.digits] from `at` on into `value`, with a digit before or after the point.
// Returns the end of the number. Returns nullptr if there is no number or it has too many digits.
inline const char* read_plain_decimal(const char* at, const char* end, double& value) {
  constexpr double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  const char* const point = read_digits(at, end, digits);
  const bool has_fraction = point != end && *point == '.';
  const char* const stop = has_fraction ? read_digits(point + 1, end, digits) : point;
  const std::ptrdiff_t decimals = has_fraction ? stop - (point + 1) : 0;
  const std::ptrdiff_t count = (point - at) + decimals;
  if (count < 1 || count > max_plain_digits) return nullptr;
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(digits)) / power[decimals];
  value = negative ? -magnitude : magnitude;
  return stop;
}

}  // namespace sculpt
