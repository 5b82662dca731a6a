// all_orders.hpp - every order of the rows that agrees with their numbers; tied rows may come in
// any order.
//
// Used by tests of outputs that are orders, to compute measures by their definitions.
#pragma once

#include "live_component.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plugin_test {

// Calls visit(order) for every order in which no row comes before a row with a larger number.
// `order` holds the rows from the first to the last.
template <class Visit>
void each_order(const Outputs& y, Visit visit) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    const bool descends = std::is_sorted(order.begin(), order.end(),
                                         [&](std::size_t a, std::size_t b) { return y[a] > y[b]; });
    if (descends) visit(std::as_const(order));
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace plugin_test
