// ranked_rows.hpp - the rows of one kind (positive or negative), sorted by score.
//
// SPDX-License-Identifier: Apache-2.0
//
// For oracles that merge two kinds of rows into one order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sculpt {

class RankedRows {
 public:
  void clear() { rows_.clear(); }
  void add(double score, std::int64_t row) { rows_.push_back({score, row}); }
  // Sorts: the highest score first; of equal scores the first row first.
  void rank() {
    std::sort(rows_.begin(), rows_.end(), [](const Scored& a, const Scored& b) {
      return a.score != b.score ? a.score > b.score : a.row < b.row;
    });
    sum_.assign(1, 0.0);
    for (const Scored& entry : rows_) sum_.push_back(sum_.back() + entry.score);
  }

  std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
  // The score and the row at this rank, from 0. Valid after rank().
  double score(std::int64_t rank) const { return rows_[static_cast<std::size_t>(rank)].score; }
  std::int64_t row(std::int64_t rank) const { return rows_[static_cast<std::size_t>(rank)].row; }
  // Returns the sum of the scores of the first `ranks` rows.
  double sum(std::int64_t ranks) const { return sum_[static_cast<std::size_t>(ranks)]; }

 private:
  struct Scored {
    double score;
    std::int64_t row;
  };
  std::vector<Scored> rows_;
  std::vector<double> sum_;  // [count + 1]
};

}  // namespace sculpt
