// kind_order.hpp - the best order of a query's documents by pairs of different kinds, for losses
// that are made of what each document gains where it stands.
//
// Of N documents, n_g of each kind g, and M pairs: a document of kind g and score s, which c_h
// documents of each kind h are ahead of, c of them all, adds
//
//   1/(2M) s ((N - n_g) - 2 (c - c_g))   to <w, psi>, or 1/2 in place of 1/(2M)
//   gain / most                          to 1 - loss
//
// This depends on the c_h alone, but for s. So of all orders with the same kinds in the same places
// the best one has each kind sorted by score, and the best of these is a path through the cells
// (c_1, ..., c_K), 0 <= c_g <= n_g, that adds one document at a time: exact, in O(K) for each of
// the product of all n_g + 1 cells. With two kinds that is O(P N), as in Yue, Finley, Radlinski and
// Joachims, SIGIR 2007, who place the documents for average precision.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <vector>

#include "ranking_losses.hpp"

namespace ranking {

class KindOrder {
 public:
  // `kind` is what psi tells apart, which must tell apart what the loss does. score,
  // kind[documents]; weight: what a pair counts in psi
  void begin(std::span<const double> score, std::span<const std::int32_t> kind, double weight);
  // Returns the maximum of <w, psi> + loss_weight * loss. Stops when the host is told to.
  double maximize(const GainLoss& loss, sculpt::Labels truth, double loss_weight,
                  const sculpt::Host& host);
  // The order found, from the last document to the first; grades ascend among documents of one kind
  // that stand together. Of orders with the same value one with the better kinds last: with
  // mistakes, so that the perceptron does not take w = 0 for perfect.
  std::vector<std::int64_t> bottom_up(sculpt::Labels truth) const;

 private:
  struct Kind {
    sculpt::RankedRows documents;
    std::int32_t of_loss = 0;  // what the loss takes it for
    std::size_t stride = 1;    // of the cells
    std::int64_t others = 0;   // documents of other kinds
  };

  std::vector<Kind> kinds_;         // the worst one first
  double unit_ = 0;                 // 1/(2M) or 1/2, 0 without pairs
  std::vector<double> best_;        // [cells] value of the first documents
  std::vector<std::uint8_t> last_;  // [cells] the kind of the last of them
};

}  // namespace ranking
