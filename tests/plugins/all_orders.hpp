// all_orders.hpp - what tied numbers leave open: every order of the rows that agrees with them.
//
// Used by tests of outputs that are orders, for measures by their definitions.
#pragma once

#include "live_component.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plugin_test {

// Calls visit(order), the rows from the first to the last, for every order in which none comes
// before one with a larger number.
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
