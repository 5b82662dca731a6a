// step_parts.hpp - the part of each rank in one step, and how long its items take.
//
// Made by PartBalance. Filled by share_items() and ExampleMean.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file/state_stream.hpp"
#include "base/stopwatch.hpp"

namespace sculpt::core {

// Part k of [0, item_count), cut into part_count neighbouring parts of about one size.
inline std::int64_t begin_of_part(std::int64_t item_count, std::int64_t part_count,
                                  std::int64_t k) {
  return item_count * k / part_count;
}

// Rank k has the items [borders[k], borders[k + 1]).
using PartBorders = std::vector<std::int64_t>;

struct StepParts {
  std::size_t table = 0;              // of PartBalance
  int rank = 0;                       // this one
  PartBorders borders;                // [ranks + 1]
  std::vector<std::int64_t> numbers;  // [items] of the items, the same in every step about them
  std::vector<float> expected_costs;  // [items] in units of the mean item
  std::vector<float> seconds;         // [items] that they took

  std::int64_t begin_of(int k) const { return borders[static_cast<std::size_t>(k)]; }
  std::int64_t end_of(int k) const { return borders[static_cast<std::size_t>(k) + 1]; }
  std::int64_t own_begin() const { return begin_of(rank); }
  std::int64_t own_end() const { return end_of(rank); }

  // Of the items [begin, end) together.
  double expected_cost(std::int64_t begin, std::int64_t end) const;
  double seconds_of(std::int64_t begin, std::int64_t end) const;

  // The items [begin, end) took so long together. Divides it by their expected costs. [worker]
  void set_seconds(std::int64_t begin, std::int64_t end, double together);
  // The own part took so long on all threads at once. [main]
  void end_own(double part_seconds);

  // The seconds of the own items, and of those of rank k.
  void save_seconds(StateWriter& out) const;
  void load_seconds(int k, StateReader& in);
};

// Times the items [begin, end) of the own part during its life. `parts` may be nullptr. [worker]
class ItemTimer {
 public:
  ItemTimer(StepParts* parts, std::int64_t begin, std::int64_t end)
      : parts_(parts), begin_(begin), end_(end) {}
  ~ItemTimer() {
    if (parts_ != nullptr) parts_->set_seconds(begin_, end_, watch_.seconds());
  }
  ItemTimer(const ItemTimer&) = delete;
  ItemTimer& operator=(const ItemTimer&) = delete;

 private:
  StepParts* parts_;
  std::int64_t begin_;
  std::int64_t end_;
  Stopwatch watch_;
};

}  // namespace sculpt::core
