// set_output.hpp - a set of rows, told apart and put into order, as one output.
//
//   y_i odd: row i is taken for positive;  y_i > y_j: row i comes before row j;  equal: they tie
//
// Canonical: the smallest numbers from 0 on that say so. A truth is such an output, 1 for the
// positive rows and 0 for the others; a prediction has the order of the scores as well.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace contingency {

inline bool is_positive(std::int32_t y) {
  return y % 2 != 0;
}
// The next number above `below` for rows of this kind; from `below_all` 0 or 1.
inline constexpr std::int32_t below_all = -1;
inline std::int32_t number_above(std::int32_t below, bool positive) {
  return is_positive(below) == positive ? below + 2 : below + 1;
}

// The rows in ascending order of value(row); of equal ones the first row first.
template <class Value>
std::vector<std::int64_t> ascending(std::size_t rows, Value value) {
  std::vector<std::int64_t> order(rows);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t i, std::int64_t j) { return value(i) < value(j); });
  return order;
}

// The rows in ascending order of their numbers, which are 0 or more; of equal ones the first row
// first. O(n) for canonical outputs.
inline std::vector<std::int64_t> by_number(std::span<const std::int32_t> y) {
  const std::size_t largest =
      y.empty() ? 0 : static_cast<std::size_t>(*std::max_element(y.begin(), y.end()));
  if (largest > 2 * y.size() + 2) {
    return ascending(y.size(), [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; });
  }
  std::vector<std::int64_t> next(largest + 2, 0);  // [number] where its next row goes
  for (const std::int32_t number : y) ++next[static_cast<std::size_t>(number) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::int64_t> order(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    order[static_cast<std::size_t>(next[static_cast<std::size_t>(y[i])]++)] =
        static_cast<std::int64_t>(i);
  }
  return order;
}

// Rows in the order of their scores, those above 0 taken for positive. y[rows]
inline void write_output(std::span<const double> score, std::span<std::int32_t> y) {
  const auto at = [&](std::int64_t i) { return score[static_cast<std::size_t>(i)]; };
  std::int32_t number = below_all;
  double previous = 0;
  for (const std::int64_t row : ascending(score.size(), at)) {
    if (number == below_all || at(row) != previous) number = number_above(number, at(row) > 0);
    previous = at(row);
    y[static_cast<std::size_t>(row)] = number;
  }
}

}  // namespace contingency
