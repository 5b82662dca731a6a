// order_psi.hpp - the features of an order of a set's rows.
//
//   psi(x, y) = 1 / (2 P N) sum over the pairs (i, j) of a positive and a negative row of
//                           sign_ij (x_i - x_j)
//             = sum over the rows of c_i x_i
//
// sign_ij: 1 if y has i before j, -1 if it has j before i, 0 if they tie. Joachims, ICML 2005.
// Called by set_features.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace contingency {

// Returns c[rows] in O(n log n). All are 0 if one kind is missing.
std::vector<double> order_coefficients(std::span<const std::int32_t> truth,
                                       std::span<const std::int32_t> y);

}  // namespace contingency
