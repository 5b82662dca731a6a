// scaling.hpp - the parameter `scaling` of datasets: scales the columns of their rows.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset that keeps its rows in a SiteStore (site_store.hpp) gets the parameter by one line:
//
//   sculpt::SiteStore& scaled_rows() { return store_; }
//
// The wrapper then declares the parameter and scales the rows after every load(). It writes the
// learned scales after the state that save() writes. It appends the factor to the text of
// feature_name(). The rest of the dataset does not change. The scaling is learned from the split
// "train" alone, and never after restore. Used by life.hpp, column_learner.hpp and row_scaling.hpp.
//
//   scaling            x becomes                  constant column   rows without x
//   max_abs            x / max |x|                1 or -1           stay 0
//   standard           x / deviation              1 or -1           stay 0
//   standard_centred   (x - mean) / deviation     left out          -mean / deviation
//   min_max            (x - min) / (max - min)    left out          -min / (max - min)
//
//   min_max_by_query   the same within each example; nothing is learned
//
// A missing entry of a row is 0 and counts: mean and deviation are over all n rows, deviation^2 =
// 1/n sum (x - mean)^2. A column is constant if max - min is at most 1e-12 max |x|, because
// rounding alone can cause that. A column that does not occur in train stays unchanged. Values are
// divided, not multiplied by a reciprocal. So columns below the smallest normal number (2e-308),
// whose reciprocal may overflow, are scaled too. Values outside the range of train are not clipped.
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
// Returns the shortest text that reads back as the same number.
inline std::string exact_number(double value) {
  std::array<char, 32> digits;
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return std::string(digits.data(), end);
}
constexpr const char* scaling_summary =
    "scales columns as learned from train; max_abs: to largest |x| 1; standard: to deviation 1; "
    "standard_centred: also to mean 0; min_max: to the range 0 to 1; standard_centred and min_max "
    "may fill sparse rows";
}  // namespace detail

// The parameter that the wrapper adds to the table of the dataset.
constexpr sculpt_parameter scaling() {
  return choice("scaling", R"("none")", "none|max_abs|standard|standard_centred|min_max",
                detail::scaling_summary);
}
// For datasets whose examples are queries. They declare this parameter themselves.
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
// Returns the value of the parameter.
inline Scaling scaling_of(const Parameters& given) {
  const std::string name = given.choice("scaling");
  const auto& names = detail::scaling_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw parameter_error("scaling " + shown(name) + " is not known");
  return static_cast<Scaling>(found - names.begin());
}

// The scale of a column: values become (x - shift) / divisor.
struct ColumnScale {
  double shift = 0;
  double divisor = 1;  // 0: the column is left out

  static constexpr ColumnScale left_out() { return {0, 0}; }
  bool leaves_out() const { return divisor == 0; }
  double of(double value) const {
    if (leaves_out()) return 0;
    const double shifted = value - shift;
    // The difference of -1e308 and 1e308 overflows.
    return std::isfinite(shifted) ? shifted / divisor : value / divisor - shift / divisor;
  }
  bool is_sound() const { return std::isfinite(shift) && std::isfinite(divisor) && divisor >= 0; }
  // Returns the suffix for the name of a feature: " (/ 81000)", " (- 40000, / 15000)". `sculpt
  // describe` reads it to print weights in the units of the file.
  std::string text() const {
    if (leaves_out()) return " (constant, left out)";
    if (shift != 0)
      return " (- " + detail::exact_number(shift) + ", / " + detail::exact_number(divisor) + ")";
    return divisor != 1 ? " (/ " + detail::exact_number(divisor) + ")" : "";
  }
};

}  // namespace sculpt
