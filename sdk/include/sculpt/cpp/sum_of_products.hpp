// sum_of_products.hpp - sums of products that do not wait for each other.
//
// SPDX-License-Identifier: Apache-2.0
//
// Each addition to a single sum waits about four cycles. So four products are added to each other
// first, always in the same order. Used by site_weights.hpp, and by features. [any]
#pragma once

namespace sculpt {

// Returns product(begin) + ... + product(end - 1). The products are doubles, or types with a sum.
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
