// gap_sampler.hpp - draws examples in proportion to their gaps. A drawn example is not drawn again
// until its gap is set.
//
// Held by ExampleDraws. A binary tree of sums: log n steps a draw. Sums do not drift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sculpt::core {

class GapSampler {
 public:
  // gap[i] >= 0, [n], n > 0.
  explicit GapSampler(const std::vector<double>& gap) {
    while (leaves_ < gap.size()) leaves_ *= 2;
    sum_.assign(2 * leaves_, 0.0);
    for (std::size_t i = 0; i < gap.size(); ++i) sum_[leaves_ + i] = gap[i];
    for (std::size_t node = leaves_ - 1; node > 0; --node) add_up(node);
  }

  double total() const { return sum_[1]; }

  void set_gap(std::int64_t example, double gap) {
    std::size_t node = leaves_ + static_cast<std::size_t>(example);
    sum_[node] = gap;
    while ((node /= 2) > 0) add_up(node);
  }

  // Requires 0 <= unit_random < 1 and total() > 0. Sets the gap of the example to 0.
  std::int64_t draw(double unit_random) {
    double remainder = unit_random * total();
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      // Rounding may raise `remainder` to a sum with nothing after it.
      if (remainder >= sum_[node] && sum_[node + 1] > 0) remainder -= sum_[node++];
    }
    const auto example = static_cast<std::int64_t>(node - leaves_);
    set_gap(example, 0);
    return example;
  }

 private:
  void add_up(std::size_t node) { sum_[node] = sum_[2 * node] + sum_[2 * node + 1]; }

  std::size_t leaves_ = 1;
  std::vector<double> sum_;  // [2 leaves] tree with root 1; its leaves are the gaps
};

}  // namespace sculpt::core
