// ascii.hpp - classes and cases of ASCII characters, whatever the locale.
//
// SPDX-License-Identifier: Apache-2.0
//
// Bytes beyond ASCII, such as those of UTF-8, belong to no class and stay as they are. The
// functions of <cctype> ask the locale of the process and must not be given negative characters.
// [any]
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

// The letter in the other case; other characters as they are.
constexpr char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace sculpt
