// sum_of_products.hpp - a sum whose products do not wait for each other.
//
// SPDX-License-Identifier: Apache-2.0
//
// One sum waits some four cycles for each addition. Four products at a time are added among
// themselves first, always in the same order. [any]
#pragma once

namespace sculpt {

// product(begin) + ... + product(end - 1), of doubles or of what adds like them.
template <class Index, class Product>
auto sum_of_products(Index begin, Index end, Product product) {
  decltype(product(begin)) sum{};
  Index k = begin;
  for (; k + 4 <= end; k += 4) {
    sum = sum + ((product(k) + product(k + 1)) + (product(k + 2) + product(k + 3)));
  }
  for (; k < end; ++k) sum = sum + product(k);
  return sum;
}

}  // namespace sculpt
