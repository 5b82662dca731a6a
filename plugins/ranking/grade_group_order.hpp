// grade_group_order.hpp - finds the best order of a query's documents by pairs of different kinds.
// For losses that are sums of gains, one for each document at its place.
//
// There are N documents, n_g of each kind g, and M pairs. A document of kind g and score s, which
// comes after c_h documents of each kind h and c documents in all, adds
//
//   1/(2M) s ((N - n_g) - 2 (c - c_g))   to <w, psi>, or 1/2 instead of 1/(2M)
//   gain / most                          to 1 - loss
//
// Except for s, this depends on the c_h alone. So among all orders with the same kinds at the same
// places, the best one sorts each kind by score. The best of these is a path through the cells
// (c_1, ..., c_K), 0 <= c_g <= n_g, that adds one document at a time. The search is exact. It takes
// O(K) for each cell; the number of cells is the product of all n_g + 1. With two kinds this is O(P
// N), as in Yue, Finley, Radlinski and Joachims, SIGIR 2007, for average precision.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <vector>

#include "ranking_losses.hpp"

namespace ranking {

class GradeGroupOrder {
 public:
  // `kind` has the kinds that psi distinguishes. They must distinguish everything that the loss
  // does. score, kind[documents]; weight: of a pair in psi
  void begin(std::span<const double> score, std::span<const std::int32_t> kind, double weight);
  // Returns the maximum of <w, psi> + loss_weight * loss. Throws E_CANCELLED if the host asks to
  // stop.
  double maximize(const GainLoss& loss, sculpt::Labels truth, double loss_weight,
                  const sculpt::Host& host);
  // Returns the order found, from the last document to the first. Grades ascend among consecutive
  // documents of one kind. Ties: an order with the better kinds last, so that it has mistakes.
  // Otherwise the perceptron would take w = 0 for perfect.
  std::vector<std::int64_t> bottom_up(sculpt::Labels truth) const;

 private:
  struct Kind {
    sculpt::RankedRows documents;
    std::int32_t of_loss = 0;  // the kind in the loss
    std::size_t stride = 1;    // of the cells
    std::int64_t others = 0;   // documents of other kinds
  };

  std::vector<Kind> kinds_;         // the worst kind first
  double unit_ = 0;                 // 1/(2M) or 1/2, 0 without pairs
  std::vector<double> best_;        // value of the first documents, [cells]
  std::vector<std::uint8_t> last_;  // kind of the last of them, [cells]
};

}  // namespace ranking
