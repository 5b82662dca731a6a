// kind_order.hpp - the best order of documents of two kinds, for losses that depend on how many
// worse ones are ahead of each better one.
//
// Of all orders with the same loss one has both kinds sorted by score. With the better ones
// t = 1, ..., P and b_1 <= ... <= b_P worse ones of N ahead of them, r_t the scores of the better
// ones and S(b) the sum of the b highest of the others,
//
//   <w, psi> = sum over t of h_t(b_t),   h_t(b) = ((N - 2b) r_t + 2 S(b) - S(N)) / (2 P N)
//   1 - loss = constant + sum over t of gain_t(b_t)
//
// so that the best order is a path that never goes back through the P (N + 1) cells (t, b), exact
// for every such loss: O(P N) by the best value so far of each row. Yue, Finley, Radlinski and
// Joachims, SIGIR 2007, place each document of the worse ones by itself, for average precision.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ranked_rows.hpp>
#include <vector>

#include "ranking_losses.hpp"

namespace ranking {

class KindOrder {
 public:
  // Returns the maximum of <w, psi> + loss_weight * loss; of equal ones the order with the fewest
  // worse documents ahead of the last better one, and so on. Requires documents of both kinds.
  // Stops when the host is told to.
  double maximize(const sculpt::RankedRows& better, const sculpt::RankedRows& worse,
                  const TwoKindLoss& loss, const TwoKinds& kinds, double loss_weight,
                  const sculpt::Host& host);
  // The order found, from the last document to the first; grades ascend among documents of one kind
  // that stand together.
  std::vector<std::int64_t> bottom_up(const sculpt::RankedRows& better,
                                      const sculpt::RankedRows& worse,
                                      std::span<const std::int32_t> grades) const;

 private:
  std::vector<std::int64_t> ahead_;  // [better] b_t
  std::vector<bool> begins_;  // [better][worse + 1] the best value so far is that of this cell
  std::vector<double> best_;  // [worse + 1] of the row
  std::vector<double> gain_;  // [worse + 1] of the row
};

}  // namespace ranking
