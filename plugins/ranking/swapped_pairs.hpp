// swapped_pairs.hpp - swaps pairs of documents of different groups, each independently: the outputs
// of SVM-rank.
//
// A pair has weight p in psi and q in the loss, each 1 or 1/M for M pairs. For a pair (i, j) with i
// better, swapping it changes <w, psi> + loss_weight * loss by
//
//   p (margin - (s_i - s_j)),   margin = loss_weight q / p
//
// So exactly the pairs with s_i - s_j <= margin are swapped. The excess over the truth is p times
// the sum over the pairs of max(0, margin - (s_i - s_j)). With more than two groups there may be no
// order with these swaps. Counted in O(n log n), with a Fenwick tree for the groups: Joachims, KDD
// 2006. Called by ranking_oracle.cpp.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// Returns the counts of pair_counts.hpp, or the grades if no pair is swapped. score,
// group[documents]; margin in the units of <w, x>
std::vector<std::int32_t> swapped_pairs(std::span<const double> score,
                                        std::span<const std::int32_t> group, double margin,
                                        sculpt::Labels grades);

}  // namespace ranking
