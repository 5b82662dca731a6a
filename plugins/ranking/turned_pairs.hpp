// turned_pairs.hpp - the pairs of documents of different kinds that are turned, each by itself: the
// outputs of SVM-rank.
//
// A pair counts p in psi and q in the loss, each 1 or 1/M of M pairs. Of pairs (i, j), i the better
// one, a turned one changes <w, psi> + loss_weight * loss by
//
//   p (margin - (s_i - s_j)),   margin = loss_weight q / p
//
// so that exactly those with s_i - s_j <= margin are turned, and the excess over the truth is p
// times the sum over the pairs of max(0, margin - (s_i - s_j)). With more than two kinds no order
// need turn just these. Counted in O(n log n), with a Fenwick tree for the kinds: Joachims, KDD
// 2006.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// The counts of pair_counts.hpp, or the grades where nothing is turned. score, kind[documents];
// margin in the units of <w, x>
std::vector<std::int32_t> turned_pairs(std::span<const double> score,
                                       std::span<const std::int32_t> kind, double margin,
                                       sculpt::Labels grades);

}  // namespace ranking
