// partition_search.hpp - finds good partitions, without a bound: merges clusters, then moves single
// items, until neither gains anything. Finley and Joachims, ICML 2005, section 4.1. Called by
// agglomerative.cpp and clustering_lp.cpp.
#pragma once

#include "merging.hpp"

namespace clustering {

// Moves single items to another cluster or to a new one, until no move gains anything. Returns true
// if it moved one. Visits items in turn and moves each to the best cluster; ties: the smallest
// number. O(n^2) a pass. Throws E_CANCELLED if the host asks to stop.
bool move_items(const Objective& objective, Clusters& clusters, const sculpt::Host& host);

// Improves y, 0 <= y_i < n, by merging and, with `moves`, by moving. The result is canonical.
void improve(const Objective& objective, bool moves, const sculpt::Host& host,
             std::span<std::int32_t> y);

// The same, starting with each item alone. Writes y, [n].
void agglomerate(const Objective& objective, bool moves, const sculpt::Host& host,
                 std::span<std::int32_t> y);

}  // namespace clustering
