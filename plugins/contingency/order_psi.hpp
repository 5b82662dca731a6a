// order_psi.hpp - the features of an order of a set's rows.
//
//   psi(x, y) = 1 / (2 P N) sum over the pairs (i, j) of a positive row and another of
//                           sign_ij (x_i - x_j)
//             = sum over the rows of c_i x_i
//
// sign_ij: 1 where y has i before j, -1 where it has j before i, 0 where they tie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace contingency {

// c[rows], O(n log n); 0 throughout where one of the kinds is missing.
std::vector<double> order_coefficients(std::span<const std::int32_t> truth,
                                       std::span<const std::int32_t> y);

}  // namespace contingency
