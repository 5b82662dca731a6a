// number_text.hpp - reads numbers, and tells why a text is no number.
//
// SPDX-License-Identifier: Apache-2.0
//
// For readers of data, which have different messages for large numbers and for words. [any]
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "plain_decimal.hpp"

namespace sculpt {

enum class NumberText { number, too_large, none };

// Reads all of `text`: a whole number with an optional sign. For too_large, `value` is the nearest
// 64-bit number.
inline NumberText read_whole(std::string_view text, std::int64_t& value);

// The same for a whole number in any notation: also "2.0", "-1.00" and "1e3", as programs export
// them. too_large: beyond 2^53 in these.
inline NumberText read_whole_in_any_notation(std::string_view text, std::int64_t& value);

// Reads all of `text`: a decimal number with an optional sign. A number too small for a double is
// read as 0. too_large: it exceeds the largest double. nan and inf are no numbers.
inline NumberText read_finite(std::string_view text, double& value);

namespace detail {

// std::from_chars does not accept a leading '+', which data files use for labels.
inline std::string_view without_plus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return text.substr(has_plus ? 1 : 0);
}

// True if the absolute value of the decimal number `text` is less than 1. Requires a number other
// than 0.
inline bool is_below_one(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto first = static_cast<std::int64_t>(digits.find_first_of("123456789"));
  const auto at_point = static_cast<std::int64_t>(point);
  // The power of ten of the first nonzero digit, without the exponent.
  const std::int64_t power = first < at_point ? at_point - first - 1 : at_point - first;
  std::int64_t exponent = 0;
  if (e < text.size() && read_whole(text.substr(e + 1), exponent) == NumberText::too_large) {
    return exponent < 0;
  }
  return exponent < -power;
}

}  // namespace detail

inline NumberText read_whole(std::string_view text, std::int64_t& value) {
  const std::string_view digits = detail::without_plus(text);
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, value);
  if (problem == std::errc::invalid_argument || stop != end) return NumberText::none;
  if (problem == std::errc()) return NumberText::number;
  value = digits[0] == '-' ? std::numeric_limits<std::int64_t>::min()
                           : std::numeric_limits<std::int64_t>::max();
  return NumberText::too_large;
}

inline NumberText read_whole_in_any_notation(std::string_view text, std::int64_t& value) {
  const NumberText plain = read_whole(text, value);
  if (plain != NumberText::none) return plain;
  constexpr double largest = 9007199254740992;  // 2^53: above it not every whole number is a double
  double real = 0;
  const NumberText result = read_finite(text, real);
  if (result != NumberText::number) return result;
  if (real != std::floor(real)) return NumberText::none;
  value = static_cast<std::int64_t>(std::clamp(real, -largest, largest));
  return std::abs(real) <= largest ? NumberText::number : NumberText::too_large;
}

inline NumberText read_finite(std::string_view text, double& value) {
  const char* const text_end = text.data() + text.size();
  const char* const plain = read_plain_decimal(text.data(), text_end, value);
  if (plain != nullptr && plain == text_end) return NumberText::number;
  const std::string_view digits = detail::without_plus(text);
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, value);
  if (problem == std::errc::invalid_argument || stop != end) return NumberText::none;
  if (problem == std::errc()) return std::isfinite(value) ? NumberText::number : NumberText::none;
  value = 0;
  return detail::is_below_one(digits) ? NumberText::number : NumberText::too_large;
}

}  // namespace sculpt
