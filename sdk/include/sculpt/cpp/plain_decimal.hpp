// plain_decimal.hpp - numbers such as 17, -3 and 0.25, which most of a data file consists of, read
// in a fraction of the time of std::from_chars.
//
// SPDX-License-Identifier: Apache-2.0
//
// At most 15 digits make a whole number that a double holds exactly, and so is the power of ten
// that the digits behind the point call for: their quotient, rounded once, is the double nearest to
// what is written (W. Clinger, PLDI 1990), the one that from_chars finds. Whatever is written
// otherwise is left to that. [any]
#pragma once

#include <cstddef>
#include <cstdint>

#include "ascii.hpp"

namespace sculpt {

constexpr std::ptrdiff_t most_plain_digits = 15;

// Reads digits from `at` on: their number into `value`, behind `value` if it is not 0. Returns
// where they end; more than most_plain_digits may have overflowed.
constexpr const char* read_digits(const char* at, const char* end, std::uint64_t& value) {
  while (at != end && is_digit(*at)) value = 10 * value + static_cast<std::uint64_t>(*at++ - '0');
  return at;
}

// Reads [-]digits[.digits], with a digit on one side of the point at least, from `at` on into
// `value`. Returns where it ends; nullptr where there is none or one of too many digits.
inline const char* read_plain_decimal(const char* at, const char* end, double& value) {
  constexpr double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  const char* const point = read_digits(at, end, digits);
  const bool fraction = point != end && *point == '.';
  const char* const stop = fraction ? read_digits(point + 1, end, digits) : point;
  const std::ptrdiff_t behind = fraction ? stop - (point + 1) : 0;
  const std::ptrdiff_t count = (point - at) + behind;
  if (count < 1 || count > most_plain_digits) return nullptr;
  const double size = static_cast<double>(static_cast<std::int64_t>(digits)) / power[behind];
  value = negative ? -size : size;
  return stop;
}

}  // namespace sculpt
