// set_output.hpp - a set of rows, classified and ordered, as one output.
//
//   y_i odd: row i is predicted positive;  y_i > y_j: row i comes before row j;  equal: they tie
//
// An output is canonical: it uses the smallest numbers from 0 on. A truth is such an output: 1 for
// the positive rows and 0 for the others. A prediction also has the order of the scores. Used by
// all files of this plugin.
#pragma once

#include <cstdint>
#include <sculpt/cpp/orders.hpp>
#include <span>

namespace contingency {

inline bool is_positive(std::int32_t y) {
  return y % 2 != 0;
}
// Returns the next number above `below` for rows of this kind. After `before_first` it is 0 or 1.
inline constexpr std::int32_t before_first = -1;
inline std::int32_t number_above(std::int32_t below, bool positive) {
  return is_positive(below) == positive ? below + 2 : below + 1;
}

// Writes the order of the scores to y[rows]. Rows with scores above 0 are predicted positive.
inline void write_output(std::span<const double> score, std::span<std::int32_t> y) {
  const auto at = [&](std::int64_t i) { return score[static_cast<std::size_t>(i)]; };
  std::int32_t number = before_first;
  double previous = 0;
  for (const std::int64_t row : sculpt::ascending(score.size(), at)) {
    if (number == before_first || at(row) != previous) number = number_above(number, at(row) > 0);
    previous = at(row);
    y[static_cast<std::size_t>(row)] = number;
  }
}

}  // namespace contingency
