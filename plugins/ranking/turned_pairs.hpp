// turned_pairs.hpp - the pairs of documents of different kinds that are turned, each by itself: the
// outputs of SVM-rank.
//
// Of M pairs (i, j), i the better one, a turned one changes <w, psi> + loss_weight * loss by
//
//   (loss_weight - (s_i - s_j)) / M
//
// so that exactly those with s_i - s_j <= loss_weight are turned, and the excess over the truth is
// the mean over the pairs of max(0, loss_weight - (s_i - s_j)); or the sum, without 1 / M. Where
// one of psi and loss counts shares and the other numbers, the margin is loss_weight times M or 1 /
// M. With more than two kinds no order need turn just these. Counted in O(n log n), with a Fenwick
// tree for the kinds: Joachims, KDD 2006.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// The counts of pair_counts.hpp, or the grades where nothing is turned. score, kind[documents], s
// in the units of <w, x>
std::vector<std::int32_t> turned_pairs(std::span<const double> score,
                                       std::span<const std::int32_t> kind, double margin,
                                       sculpt::Labels grades);

}  // namespace ranking
