// ascii.hpp - classes and cases of ASCII characters, independent of the locale.
//
// SPDX-License-Identifier: Apache-2.0
//
// Bytes outside ASCII, such as those of UTF-8, belong to no class and do not change. The functions
// of <cctype> depend on the locale of the process and do not accept negative characters. Used
// by readers of text. [any]
#pragma once

namespace sculpt {

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Return the letter in the other case, and every other character unchanged.
constexpr char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace sculpt
