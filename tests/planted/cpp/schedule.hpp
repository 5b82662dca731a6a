// schedule.hpp - the scores of the talks of a day, and the best sets for each pair of counts.
//
//   S(i, p, m) = score(i) + max over j before i of  gap(j, i) + S(j, p - 1, m - [i in truth])
//
// is the best score of p talks, the last of them i, of which m are in the truth. [worker]
#pragma once

#include <numeric>

#include "attendance.hpp"

namespace talks {

class Schedule {
 public:
  explicit Schedule(const Bag& bag) : bag_(bag) {}

  // Keeps the talks of the day in the order of their times, and their scores.
  void begin(std::int64_t example, sculpt::Weights w) {
    const Day& day = bag_.days().day(example);
    if (example != example_) {
      order_.resize(day.size());
      std::iota(order_.begin(), order_.end(), 0);
      std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
        return is_earlier(day[static_cast<std::size_t>(a)], day[static_cast<std::size_t>(b)]);
      });
      talks_.clear();
      for (const std::int32_t k : order_) talks_.push_back(&day[static_cast<std::size_t>(k)]);
      example_ = example;
    }
    scores_.assign(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      bag_.each_weight(*talks_[i], [&](std::int64_t j) { scores_[i] += w[index(j)]; });
    }
#if PLANTED != 18
    gap_scores_.resize(index(bag_.longest_gap()) + 1);
#endif
    for (std::int64_t gap = 0; gap <= bag_.longest_gap(); ++gap) {
      gap_scores_[index(gap)] = w[index(bag_.gap_weight(gap))];
    }
  }

  std::size_t size() const {
    return order_.size();
  }
  const std::vector<std::int32_t>& order() const {
    return order_;
  }
  double score(std::size_t i) const {
    return scores_[i];
  }
  bool can_follow(std::size_t j, std::size_t i) const {
    return talks::can_follow(*talks_[j], *talks_[i]);
  }
  double gap_score(std::size_t j, std::size_t i) const {
    return gap_scores_[index(bag_.gap_weight(*talks_[j], *talks_[i]) - bag_.gap_weight(0))];
  }
  double best_gap_score() const {
    return *std::max_element(
        gap_scores_.begin(),
        gap_scores_.begin() + static_cast<std::ptrdiff_t>(bag_.longest_gap()) + 1);
  }

  // Fills S for p <= most. Without a truth m is always 0.
  void solve(sculpt::Labels truth, std::int64_t most, const sculpt::Host& host) {
    p_size_ = std::min(size(), index(most)) + 1;
    m_size_ = std::min(truth.size(), index(most)) + 1;
    table_.assign(size() * p_size_ * m_size_, {sculpt::unattainable, 0});
    for (std::size_t i = 0; i < size(); ++i) {
      host.throw_if_cancelled();
      const bool is_match = std::binary_search(truth.begin(), truth.end(), order_[i]);
      if (p_size_ > 1) at(i, 1, is_match ? 1 : 0) = {scores_[i], i};
      for (std::size_t j = 0; j < i; ++j) {
        if (can_follow(j, i)) extend(j, i, is_match ? 1 : 0);
      }
    }
  }
  // The number of scores of solve(), for messages about memory.
  double cells(sculpt::Labels truth, std::int64_t most) const {
    const auto count = [&](std::size_t all) {
      return static_cast<double>(std::min(all, index(most)) + 1);
    };
    return static_cast<double>(size()) * count(size()) * count(truth.size());
  }

  std::size_t p_size() const {
    return p_size_;
  }
  std::size_t m_size() const {
    return m_size_;
  }
  // S(i, p, m), `unattainable` if there is no such set.
  double best(std::size_t i, std::size_t p, std::size_t m) const {
    return at(i, p, m).score;
  }
  // The best set with these counts. Returns its score; *last is its last talk.
  double best(std::size_t p, std::size_t m, std::size_t* last) const {
    if (p == 0) return m == 0 ? 0 : sculpt::unattainable;
    double score = sculpt::unattainable;
    for (std::size_t i = 0; i < size(); ++i) {
      if (best(i, p, m) > score) score = best(i, p, m), *last = i;
    }
    return score;
  }
  // Writes that set as an output. Without talks `last` is not used.
  void trace(std::size_t last, std::size_t p, std::size_t m, sculpt::Labels truth,
             std::vector<std::int32_t>& y) const {
    y.clear();
    for (; p > 0; --p) {
      y.push_back(order_[last]);
      const std::size_t before = at(last, p, m).before;
      m -= std::binary_search(truth.begin(), truth.end(), order_[last]) ? 1 : 0;
      last = before;
    }
    std::sort(y.begin(), y.end());
  }

 private:
  struct Cell {
    double score;
    std::size_t before;  // the talk before the last one
  };

  template <class Number>
  static std::size_t index(Number number) {
    return static_cast<std::size_t>(number);
  }
  Cell& at(std::size_t i, std::size_t p, std::size_t m) {
    return table_[(i * p_size_ + p) * m_size_ + m];
  }
  const Cell& at(std::size_t i, std::size_t p, std::size_t m) const {
    return table_[(i * p_size_ + p) * m_size_ + m];
  }
  void extend(std::size_t j, std::size_t i, std::size_t match) {
    const double step = scores_[i] + gap_score(j, i);
    for (std::size_t p = 2; p < p_size_; ++p) {
      for (std::size_t m = match; m < m_size_; ++m) {
        const double candidate = step + at(j, p - 1, m - match).score;
        Cell& cell = at(i, p, m);
        if (candidate > cell.score) cell = {candidate, j};
      }
    }
  }

  const Bag& bag_;
  std::int64_t example_ = -1;
  std::vector<std::int32_t> order_;  // the talks of the example by time
  std::vector<const Talk*> talks_;   // [size] in this order, like the following
  std::vector<double> scores_;
#if PLANTED == 18
  std::array<double, 64> gap_scores_;  // [longest_gap + 1]
#else
  std::vector<double> gap_scores_;  // [longest_gap + 1]
#endif
  std::size_t p_size_ = 0;
  std::size_t m_size_ = 0;
  std::vector<Cell> table_;  // [size][p_size][m_size]
};

}  // namespace talks
