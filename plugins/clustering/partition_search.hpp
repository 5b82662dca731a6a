// partition_search.hpp - good partitions, without a promise: clusters are put together, then single
// items go elsewhere, until neither gains anything.
#pragma once

#include "merging.hpp"

namespace clustering {

// Moves single items, to another cluster or to one of their own, until no such move gains anything;
// whether it moved one. Items in turn, each to where it gains the most, the smallest number of
// equals. O(n^2) a pass. Throws E_CANCELLED when the host asks to stop.
bool move_items(const Objective& objective, Clusters& clusters, const sculpt::Host& host);

// Makes y, 0 <= y_i < n, better by putting together and, with `moves`, by moving; canonical.
void improve(const Objective& objective, bool moves, const sculpt::Host& host,
             std::span<std::int32_t> y);

// From each item by itself. y[n]
void agglomerate(const Objective& objective, bool moves, const sculpt::Host& host,
                 std::span<std::int32_t> y);

}  // namespace clustering
