// largest_values.hpp - finds the largest of many numbers by magnitude, in one pass and with memory
// for as many as are wanted.
//
// Called by describe, diff and report.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sculpt::core {

class LargestValues {
 public:
  explicit LargestValues(std::size_t max_count) : max_count_(max_count) {}

  // Zeros are left out.
  void add(std::int64_t index, double value) {
    if (value == 0 || max_count_ == 0) return;
    const Entry entry{std::abs(value), index};
    if (heap_.size() == max_count_) {
      if (!is_larger(entry, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), is_larger);
      heap_.pop_back();
    }
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), is_larger);
  }

  // The indices of the largest values, the largest first, and for equal ones the smallest index
  // first. Forgets them.
  std::vector<std::int64_t> take() {
    std::sort_heap(heap_.begin(), heap_.end(), is_larger);
    std::vector<std::int64_t> indices;
    for (const Entry& entry : heap_) indices.push_back(entry.index);
    heap_.clear();
    return indices;
  }

 private:
  struct Entry {
    double magnitude;
    std::int64_t index;
  };
  static bool is_larger(const Entry& a, const Entry& b) {
    return a.magnitude > b.magnitude || (a.magnitude == b.magnitude && a.index < b.index);
  }

  std::size_t max_count_;
  std::vector<Entry> heap_;  // the smallest is at the front
};

}  // namespace sculpt::core
