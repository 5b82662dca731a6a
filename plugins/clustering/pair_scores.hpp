// pair_scores.hpp - a number for each pair of items. Used by the objective and the oracles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clustering {

// Symmetric, stored in full so that rows are contiguous: 8 n^2 bytes. The diagonal is 0.
class PairScores {
 public:
  // Sets all scores to 0.
  void reset(std::int64_t items) {
    items_ = static_cast<std::size_t>(items);
    scores_.assign(items_ * items_, 0.0);
  }
  std::size_t items() const { return items_; }

  double at(std::size_t i, std::size_t j) const { return scores_[i * items_ + j]; }
  // Requires i != j.
  void set(std::size_t i, std::size_t j, double score) {
    scores_[i * items_ + j] = score;
    scores_[j * items_ + i] = score;
  }
  void add(std::size_t i, std::size_t j, double score) { set(i, j, at(i, j) + score); }
  std::span<const double> row(std::size_t i) const { return {scores_.data() + i * items_, items_}; }

  // Returns the sum of the pairs within clusters. y[items]
  double sum_within(std::span<const std::int32_t> y) const {
    double sum = 0;
    for (std::size_t i = 0; i < items_; ++i) {
      for (std::size_t j = i + 1; j < items_; ++j) sum += y[i] == y[j] ? at(i, j) : 0;
    }
    return sum;
  }

 private:
  std::size_t items_ = 0;
  std::vector<double> scores_;
};

}  // namespace clustering
