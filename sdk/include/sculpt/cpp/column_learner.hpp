// column_learner.hpp - learns the scaling of each column from rows of data (scaling.hpp).
//
// SPDX-License-Identifier: Apache-2.0
//
// Made by RowScaling. The unit of a column is a power of two near its largest value. So squares of
// 1e300 and of 1e-300 do not overflow or underflow. Mean and deviation take two passes. The second
// subtracts the sum of the deviations, which corrects the rounding of the mean (Chan, Golub &
// LeVeque, The American Statistician 1983):
//
//   n variance = sum (x - mean)^2 - (sum (x - mean))^2 / n
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "../ext/sites.h"
#include "scaling.hpp"
#include "views.hpp"

namespace sculpt {

struct ScaledColumn {
  std::int32_t index = 0;
  ColumnScale scale;
};

// Learns scales. Reuses its memory, so that one object can serve many queries.
class ColumnLearner {
 public:
  // Returns the scale of every column that occurs in the rows, in ascending order. The rows are
  // sites(example) of the range `examples`. Requires one of the four scalings that learn.
  template <class Rows>
  std::vector<ScaledColumn> learn(Scaling scaling, const Rows& rows, Range examples) {
    reset();
    each_entry(rows, examples,
               [this](std::int32_t index, double value) { add_entry(index, value); });
    for (std::int64_t e = examples.begin; e < examples.end; ++e) rows_ += rows.sites(e).site_count;
    for (Column& column : columns_) finish_range(column);
    if (scaling == Scaling::standard || scaling == Scaling::standard_centred) {
      find_deviations(rows, examples);
    }
    std::sort(columns_.begin(), columns_.end(),
              [](const Column& a, const Column& b) { return a.index < b.index; });
    std::vector<ScaledColumn> scaled;
    scaled.reserve(columns_.size());
    for (const Column& column : columns_) {
      scaled.push_back({column.index, scale_of(column, scaling)});
    }
    return scaled;
  }
  // The numbers of rows and entries in the last call of learn().
  std::int64_t rows() const { return rows_; }
  std::int64_t entries() const { return entries_; }

 private:
  static constexpr double max_double = std::numeric_limits<double>::max();
  static constexpr double rounding = 1e-12;  // relative to max |x|

  struct Column {
    std::int32_t index = 0;
    std::int64_t entries = 0;
    double lowest = 0;
    double highest = 0;
    double unit = 1;            // A power of two.
    double mean = 0;            // In units, as are the next two.
    double difference_sum = 0;  // Sum of x - mean.
    double squares = 0;         // Sum of (x - mean)^2.
    double deviation = 0;       // Not in units.

    double magnitude() const { return std::max(std::abs(lowest), std::abs(highest)); }
    // Overflows to infinity if lowest and highest are close to the limits of doubles.
    double range() const { return highest - lowest; }
    bool is_constant() const { return range() <= rounding * magnitude(); }
  };

  void reset() {
    for (const Column& column : columns_) column_of_[static_cast<std::size_t>(column.index)] = -1;
    columns_.clear();
    rows_ = entries_ = 0;
  }

  template <class Rows, class Visit>
  static void each_entry(const Rows& rows, Range examples, Visit visit) {
    for (std::int64_t e = examples.begin; e < examples.end; ++e) {
      const sculpt_sites sites = rows.sites(e);
      for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
        visit(sites.index[j], sites.value[j]);
      }
    }
  }

  // Adds an entry to the range of its column.
  void add_entry(std::int32_t index, double value) {
    const auto i = static_cast<std::size_t>(index);
    if (i >= column_of_.size()) column_of_.resize(i + 1, -1);
    if (column_of_[i] < 0) {
      column_of_[i] = static_cast<std::int32_t>(columns_.size());
      columns_.push_back({index, 0, value, value});
    }
    Column& column = columns_[static_cast<std::size_t>(column_of_[i])];
    ++column.entries;
    ++entries_;
    column.lowest = std::min(column.lowest, value);
    column.highest = std::max(column.highest, value);
  }

  // Rows without an entry of the column have the value 0 in it.
  void finish_range(Column& column) const {
    if (column.entries < rows_) {
      column.lowest = std::min(column.lowest, 0.0);
      column.highest = std::max(column.highest, 0.0);
    }
    int exponent = 0;
    std::frexp(column.magnitude(), &exponent);
    column.unit = std::ldexp(1.0, exponent - 1);
  }

  // Computes mean and deviation of all columns by the formula above, in two passes over the rows.
  template <class Rows>
  void find_deviations(const Rows& rows, Range examples) {
    const auto n = static_cast<double>(rows_);
    const auto find_column = [this](std::int32_t index) -> Column& {
      return columns_[static_cast<std::size_t>(column_of_[static_cast<std::size_t>(index)])];
    };
    each_entry(rows, examples, [&](std::int32_t index, double value) {
      Column& column = find_column(index);
      column.mean += value / column.unit;
    });
    for (Column& column : columns_) column.mean /= n;
    each_entry(rows, examples, [&](std::int32_t index, double value) {
      Column& column = find_column(index);
      const double difference = value / column.unit - column.mean;
      column.difference_sum += difference;
      column.squares += difference * difference;
    });
    for (Column& column : columns_) {
      const auto missing_entries = static_cast<double>(rows_ - column.entries);
      column.difference_sum -= missing_entries * column.mean;
      column.squares += missing_entries * column.mean * column.mean;
      const double correction = column.difference_sum * column.difference_sum / n;
      const double variance = (column.squares - correction) / n;
      column.deviation = std::sqrt(std::max(variance, 0.0)) * column.unit;
    }
  }

  // Returns the scale of a column, by the table in scaling.hpp.
  static ColumnScale scale_of(const Column& column, Scaling scaling) {
    const double magnitude = column.magnitude();
    if (magnitude == 0) return {};
    const bool constant = column.is_constant();
    // The deviation of values near 5e-324, the smallest double, may round to 0.
    const double deviation = column.deviation > 0 ? column.deviation : magnitude;
    switch (scaling) {
      case Scaling::standard:
        return {0, constant ? magnitude : deviation};
      case Scaling::standard_centred:
        if (constant) return ColumnScale::left_out();
        return {column.mean * column.unit, deviation};
      case Scaling::min_max:
        if (constant) return ColumnScale::left_out();
        return {column.lowest, std::min(column.range(), max_double)};
      default:
        return {0, magnitude};
    }
  }

  std::vector<Column> columns_;
  std::vector<std::int32_t> column_of_;  // index in columns_, or -1 without an entry, [indices]
  std::int64_t rows_ = 0;
  std::int64_t entries_ = 0;
};

}  // namespace sculpt
