// interleaving.hpp - orders of the positive rows of a set and of the others, both being sorted by
// score: how many of the others stand before each positive row.
//
//   <w, psi> = 1 / (2 P N) sum over the pairs (i, j) of a positive row and another of
//              s_i - s_j where i comes before j, else s_j - s_i
//
// Of all orders with the same loss one of these has the highest score, for every loss that only
// depends on the kinds of the rows in their order. Used by the oracle.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <span>
#include <vector>

namespace contingency {

class Interleaving {
 public:
  // The best for loss_weight * (1 - area under the ROC curve): a pair is turned round where
  // s_i - s_j < loss_weight. O(P + N). Joachims, ICML 2005, Algorithm 4.
  void maximize_roc(const sculpt::RankedRows& positive, const sculpt::RankedRows& others,
                    double loss_weight);
  // The best for loss_weight * (1 - average precision). Yue, Finley, Radlinski and Joachims, SIGIR
  // 2007: row j of the others goes before the positive row where that pays most, and this moves
  // down as j grows; so by divide and conquer, O((P + N) log N).
  void maximize_average_precision(const sculpt::RankedRows& positive,
                                  const sculpt::RankedRows& others, double loss_weight);

  double score(const sculpt::RankedRows& positive, const sculpt::RankedRows& others) const;
  double roc_loss(const sculpt::RankedRows& others) const;
  double average_precision_loss() const;

  // As set_output.hpp has it, the positive rows taken for such, those of one kind between two of
  // the other one tied. y[rows]
  void write(const sculpt::RankedRows& positive, const sculpt::RankedRows& others,
             std::span<std::int32_t> y) const;

 private:
  std::vector<std::int64_t> before_;  // [positive] others before each, which grows
  std::vector<std::int64_t> place_;   // [others] the positive row that each goes before
};

}  // namespace contingency
