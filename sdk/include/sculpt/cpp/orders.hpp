// orders.hpp - orders of rows by numbers: the larger number first, equal numbers tie.
//
// SPDX-License-Identifier: Apache-2.0
//
// For tasks whose outputs are orders. y[rows] are the numbers. Measures average over all orders of
// tied rows.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace sculpt {

// Returns the rows in ascending order of value(row). Ties: the smaller row first.
template <class Value>
std::vector<std::int64_t> ascending(std::size_t rows, Value value) {
  std::vector<std::int64_t> order(rows);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t i, std::int64_t j) { return value(i) < value(j); });
  return order;
}

// Returns the rows in ascending order of y. O(rows) if the numbers are at most 4 times the rows, as
// in outputs.
inline std::vector<std::int64_t> by_number(std::span<const std::int32_t> y) {
  if (y.empty()) return {};
  const auto [smallest, largest] = std::minmax_element(y.begin(), y.end());
  if (*smallest < 0 || static_cast<std::size_t>(*largest) > 4 * y.size()) {
    return ascending(y.size(), [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; });
  }
  std::vector<std::size_t> next(static_cast<std::size_t>(*largest) + 2, 0);  // next positions
  for (const std::int32_t number : y) ++next[static_cast<std::size_t>(number) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::int64_t> order(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    order[next[static_cast<std::size_t>(y[i])]++] = static_cast<std::int64_t>(i);
  }
  return order;
}

// Calls visit(rows) for each number, the largest first. `rows` are the rows with this number,
// ascending.
template <class Visit>
void each_tie(std::span<const std::int32_t> y, Visit visit) {
  const auto number = [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; };
  const std::vector<std::int64_t> order = by_number(y);
  const std::span<const std::int64_t> rows = order;
  for (std::size_t end = rows.size(); end > 0;) {
    std::size_t first = end;
    while (first > 0 && number(rows[first - 1]) == number(rows[end - 1])) --first;
    visit(rows.subspan(first, end - first));
    end = first;
  }
}

// Returns the rank of each row: 1 + the number of rows before it.
inline std::vector<std::int64_t> ranks(std::span<const std::int32_t> y) {
  std::vector<std::int64_t> rank(y.size());
  std::int64_t rows_before = 0;
  each_tie(y, [&](std::span<const std::int64_t> rows) {
    for (const std::int64_t row : rows) rank[static_cast<std::size_t>(row)] = rows_before + 1;
    rows_before += static_cast<std::int64_t>(rows.size());
  });
  return rank;
}
// Parses a rank, which is at least 1. Throws E_DATA.
inline std::int64_t read_rank(std::string_view text) {
  std::int64_t rank = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (problem != std::errc() || stop != text.data() + text.size() || rank < 1) {
    throw data_error(shown(text) + " is not a rank; ranks count from 1");
  }
  return rank;
}

// The numbers of positive and negative rows that tie.
struct TiedRows {
  std::int64_t positive = 0;
  std::int64_t negative = 0;
  std::int64_t size() const { return positive + negative; }
};
// Returns the ties in descending order of y. positive(row) tells whether a row is positive.
template <class Positive>
std::vector<TiedRows> count_ties(std::span<const std::int32_t> y, Positive positive) {
  std::vector<TiedRows> order;
  each_tie(y, [&](std::span<const std::int64_t> rows) {
    TiedRows& tied = order.emplace_back();
    for (const std::int64_t row : rows) ++(positive(row) ? tied.positive : tied.negative);
  });
  return order;
}

// Returns the number of positive rows among the first k >= 0. Rows of a tie at the limit count in
// part. If k exceeds the rows, all count.
inline double found_among_first(std::int64_t k, std::span<const TiedRows> order) {
  double positives = 0;
  std::int64_t remaining = k;
  for (const TiedRows& tied : order) {
    if (remaining <= 0) break;
    // One division, which is exact if all rows of the tie are positive.
    positives += remaining >= tied.size()
                     ? static_cast<double>(tied.positive)
                     : static_cast<double>(remaining) * static_cast<double>(tied.positive) /
                           static_cast<double>(tied.size());
    remaining -= tied.size();
  }
  return positives;
}

// Returns the average precision: the mean of the precision at each positive row. Requires positive
// rows. Ties as in McSherry and Najork, ECIR 2008. A row of a tie is positive with the share of
// positive rows in the tie. The same holds for the other rows of the tie that come before it.
inline double average_precision(std::span<const TiedRows> order) {
  double sum = 0;
  double positive = 0;
  double rows = 0;
  for (const TiedRows& tied : order) {
    const auto tied_positive = static_cast<double>(tied.positive);
    const auto size = static_cast<double>(tied.size());
    if (tied_positive > 0) {
      const double share_of_others = size > 1 ? (tied_positive - 1) / (size - 1) : 0;
      for (std::int64_t k = 0; k < tied.size(); ++k) {
        const auto before = static_cast<double>(k);
        sum +=
            tied_positive / size * (positive + 1 + before * share_of_others) / (rows + 1 + before);
      }
    }
    positive += tied_positive;
    rows += size;
  }
  return sum / positive;
}

}  // namespace sculpt
