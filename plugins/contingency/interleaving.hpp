// interleaving.hpp - orders of the positive and the negative rows of a set. Both kinds are sorted
// by score. An order is the number of negative rows before each positive row.
//
//   <w, psi> = 1 / (2 P N) sum over the pairs (i, j) of a positive and a negative row of
//              s_i - s_j if i comes before j, else s_j - s_i
//
// For losses that depend only on the kinds of the rows in their order. Among all orders with the
// same loss, one of these has the highest score. Used by order_losses.hpp and set_oracle.cpp.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <span>
#include <vector>

namespace contingency {

class Interleaving {
 public:
  // Finds the best order for loss_weight * (1 - area under the ROC curve): a pair is in the wrong
  // order if s_i - s_j < loss_weight. O(P + N). Joachims, ICML 2005, Algorithm 4.
  void maximize_roc(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
                    double loss_weight);
  // Finds the best order for loss_weight * (1 - average precision). Yue, Finley, Radlinski and
  // Joachims, SIGIR 2007: negative row j is placed before the positive row with the largest gain.
  // This place moves down as j grows, so divide and conquer takes O((P + N) log N).
  void maximize_average_precision(const sculpt::RankedRows& positive,
                                  const sculpt::RankedRows& negative, double loss_weight);

  double score(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative) const;
  double roc_loss(const sculpt::RankedRows& negative) const;
  double average_precision_loss() const;

  // Writes the output of set_output.hpp to y[rows]. The positive rows are predicted positive. Rows
  // of one kind between two rows of the other kind tie.
  void write(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
             std::span<std::int32_t> y) const;

 private:
  std::vector<std::int64_t> negatives_before_;  // [positive], nondecreasing
  std::vector<std::int64_t> insert_before_;     // [negative] the positive row after each
};

}  // namespace contingency
