// grade_group_order.hpp - finds the best order of a query's documents by pairs of different groups.
// For losses that are sums of gains, one for each document at its rank.
//
// There are N documents, n_g of each group g, and M pairs. A document of group g and score s, which
// comes after c_h documents of each group h and c documents in all, adds
//
//   1/(2M) s ((N - n_g) - 2 (c - c_g))   to <w, psi>, or 1/2 instead of 1/(2M)
//   gain / max_gain_sum                  to 1 - loss
//
// Except for s, this depends on the c_h alone. So among all orders with the same groups at the same
// ranks, the best one sorts each group by score. The best of these is a path through the cells
// (c_1, ..., c_K), 0 <= c_g <= n_g, that adds one document at a time. The search is exact. It takes
// O(K) for each cell; the number of cells is the product of all n_g + 1. With two groups this is
// O(P N), as in Yue, Finley, Radlinski and Joachims, SIGIR 2007, for average precision. Called by
// ranking_oracle.cpp.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <vector>

#include "ranking_losses.hpp"

namespace ranking {

class GradeGroupOrder {
 public:
  // `group` has the groups that psi distinguishes. They must distinguish everything that the loss
  // does. score, group[documents]. `weight`: of a pair in psi.
  void begin(std::span<const double> score, std::span<const std::int32_t> group, double weight);
  // Returns the maximum of <w, psi> + loss_weight * loss. Throws E_CANCELLED if the host asks to
  // stop.
  double maximize(const GainLoss& loss, sculpt::Labels truth, double loss_weight,
                  const sculpt::Host& host);
  // Returns the order found, from the last document to the first. Grades ascend among consecutive
  // documents of one group. Ties: an order with the better groups last, so that it has mistakes.
  // Otherwise the perceptron would take w = 0 for perfect.
  std::vector<std::int64_t> bottom_up(sculpt::Labels truth) const;

 private:
  struct Group {
    sculpt::RankedRows documents;
    std::int32_t loss_group = 0;   // the group in the loss
    std::size_t stride = 1;        // of the cells
    std::int64_t other_count = 0;  // documents of other groups
  };

  std::vector<Group> groups_;       // the worst group first
  double half_weight_ = 0;          // 1/(2M) or 1/2, 0 without pairs
  std::vector<double> best_;        // value of the first documents, [cells]
  std::vector<std::uint8_t> last_;  // group of the last of them, [cells]
};

}  // namespace ranking
