// part_balance.hpp - moves the borders between the parts of the ranks, so that all need about the
// same time for a step.
//
//   c_i   the cost of an item: how long it took at its last visits, in units of the mean item
//   s_k   how slow rank k is, relative to the others
//
// Rank k is expected to need s_k (sum of c_i over its part). The borders make these equal, as far
// as whole items allow. At each step all ranks tell each other how long their items took, and all
// compute the same c, s and borders from it. Results of a run depend on none of them.
//
// Both are damped, because another program may disturb a rank for a moment. Parts of equal size
// stay if others would save little: sums along a tree are cheapest with them.
//
// Held by Ranks. Called by share_items() and ExampleMean, on the main thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/ranks/step_parts.hpp"

namespace sculpt::core {

class PartBalance {
 public:
  PartBalance(int ranks, int rank) : rank_(rank), slowness_(static_cast<std::size_t>(ranks), 1) {}

  // The parts of a step about `count` items. `step`: a literal; the costs of its items are those of
  // earlier steps with this name. number_at(k): the number of item k, the same in all these steps.
  template <class NumberAt>
  StepParts divide(const char* step, std::int64_t count, const NumberAt& number_at) {
    StepParts parts = begin_step(step, count);
    for (std::int64_t k = 0; k < count; ++k) {
      parts.numbers[static_cast<std::size_t>(k)] = number_at(k);
    }
    set_borders(parts);
    return parts;
  }

  // After a step, with the seconds of all items.
  void learn(const StepParts& parts);

  // [ranks] s_k.
  std::span<const double> slowness() const { return slowness_; }

 private:
  struct Table {
    const char* step;
    std::vector<float> costs;  // c_i by the number of the item; 0: not known
    double seconds = 0;        // of a cost of 1; 0: not known
  };

  StepParts begin_step(const char* step, std::int64_t count);
  void set_borders(StepParts& parts);
  PartBorders equal_borders(std::int64_t count) const;
  PartBorders moved_borders(const StepParts& parts) const;
  double expected_seconds(const StepParts& parts, const PartBorders& borders) const;
  double seconds_of_unit(const StepParts& parts, const Table& table) const;
  void learn_slowness(const StepParts& parts, double unit);
  void learn_costs(const StepParts& parts, double unit, std::vector<float>& costs) const;

  int rank_;
  std::vector<double> slowness_;
  std::vector<Table> tables_;
};

}  // namespace sculpt::core
