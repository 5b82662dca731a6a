// set_output.hpp - a set of rows, told apart and put into order, as one output.
//
//   y_i odd: row i is taken for positive;  y_i > y_j: row i comes before row j;  equal: they tie
//
// Canonical: the smallest numbers from 0 on that say so. A truth is such an output, 1 for the
// positive rows and 0 for the others; a prediction has the order of the scores as well.
#pragma once

#include <cstdint>
#include <sculpt/cpp/orders.hpp>
#include <span>

namespace contingency {

inline bool is_positive(std::int32_t y) {
  return y % 2 != 0;
}
// The next number above `below` for rows of this kind; from `below_all` 0 or 1.
inline constexpr std::int32_t below_all = -1;
inline std::int32_t number_above(std::int32_t below, bool positive) {
  return is_positive(below) == positive ? below + 2 : below + 1;
}

// Rows in the order of their scores, those above 0 taken for positive. y[rows]
inline void write_output(std::span<const double> score, std::span<std::int32_t> y) {
  const auto at = [&](std::int64_t i) { return score[static_cast<std::size_t>(i)]; };
  std::int32_t number = below_all;
  double previous = 0;
  for (const std::int64_t row : sculpt::ascending(score.size(), at)) {
    if (number == below_all || at(row) != previous) number = number_above(number, at(row) > 0);
    previous = at(row);
    y[static_cast<std::size_t>(row)] = number;
  }
}

}  // namespace contingency
