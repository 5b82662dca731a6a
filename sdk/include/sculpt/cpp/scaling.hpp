// scaling.hpp - the parameter `scaling` of datasets: the columns of their rows brought to one size.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset that keeps its rows in a SiteStore (site_store.hpp) has the parameter with one line:
//
//   sculpt::SiteStore& scaled_rows() { return store_; }
//
// The wrapper then declares the parameter, scales the rows after every load(), writes what it
// learned after the state that save() writes, and appends the factor to what feature_name() writes.
// No other line of the dataset changes. It learns from the split "train" alone, and never after
// restore.
//
//   scaling            x becomes                  constant column   rows without x
//   max_abs            x / max |x|                1 or -1           stay 0
//   standard           x / deviation              1 or -1           stay 0
//   standard_centred   (x - mean) / deviation     left out          -mean / deviation
//   min_max            (x - min) / (max - min)    left out          -min / (max - min)
//
//   min_max_by_query   the same within each example; nothing is learned
//
// An entry that a row does not have is 0, and counts: mean and deviation are over all n rows,
// deviation^2 = 1/n sum (x - mean)^2. A column counts as constant when max - min is at most 1e-12
// of max |x|, which rounding alone may make. One that train does not have stays as it is. Columns
// below the least normal number (2e-308) are scaled like any other: values are divided, since the
// reciprocal of the divisor may be no number. Values beyond those of train are not cut off.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "parameters.hpp"

namespace sculpt {

enum class Scaling { none, max_abs, standard, standard_centred, min_max, min_max_by_query };

namespace detail {
// The shortest text that reads back as the same number.
inline std::string exact_number(double value) {
  std::array<char, 32> digits;
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return std::string(digits.data(), end);
}
constexpr const char* scaling_summary =
    "brings columns to one size, as learned from train: largest value 1, deviation 1, also mean 0, "
    "or from 0 to 1; centred and min_max may fill sparse rows";
}  // namespace detail

// The entry that the wrapper adds to the table of parameters.
constexpr sculpt_parameter scaling() {
  return choice("scaling", R"("none")", "none|max_abs|standard|standard_centred|min_max",
                detail::scaling_summary);
}
// For datasets whose examples are queries; they declare this entry themselves.
constexpr sculpt_parameter scaling_by_query() {
  return choice("scaling", R"("none")",
                "none|max_abs|standard|standard_centred|min_max|min_max_by_query",
                detail::scaling_summary);
}
namespace detail {
constexpr std::array scaling_names{"none",    "max_abs",         "standard", "standard_centred",
                                   "min_max", "min_max_by_query"};
}
inline const char* name_of(Scaling scaling) {
  return detail::scaling_names[static_cast<std::size_t>(scaling)];
}
// What it is set to.
inline Scaling scaling_of(const Parameters& given) {
  const std::string name = given.choice("scaling");
  const auto& names = detail::scaling_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw parameter_error("scaling " + shown(name) + " is not known");
  return static_cast<Scaling>(found - names.begin());
}

// How the values of a column are scaled: (x - shift) / divisor.
struct ColumnScale {
  double shift = 0;
  double divisor = 1;  // 0: the column is left out

  static constexpr ColumnScale left_out() { return {0, 0}; }
  bool leaves_out() const { return divisor == 0; }
  double of(double value) const {
    if (leaves_out()) return 0;
    const double moved = value - shift;
    // from -1e308 to 1e308 it is more than a double holds
    return std::isfinite(moved) ? moved / divisor : value / divisor - shift / divisor;
  }
  bool is_sound() const { return std::isfinite(shift) && std::isfinite(divisor) && divisor >= 0; }
  // What the name of a feature ends with: " (/ 81000)", " (- 40000, / 15000)". `sculpt describe`
  // reads it to print weights for a unit of the file.
  std::string text() const {
    if (leaves_out()) return " (constant, left out)";
    if (shift != 0)
      return " (- " + detail::exact_number(shift) + ", / " + detail::exact_number(divisor) + ")";
    return divisor != 1 ? " (/ " + detail::exact_number(divisor) + ")" : "";
  }
};

}  // namespace sculpt
