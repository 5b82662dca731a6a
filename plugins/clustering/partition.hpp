// partition.hpp - the clusters of a document's items, as an output: y_i is the cluster of item i.
//
// Canonical: item 0 is in cluster 0, and the first item of each further cluster, from left to
// right, gives it the next number. So equal partitions are equal arrays.
#pragma once

#include <cstdint>
#include <sculpt/cpp/views.hpp>
#include <span>

namespace clustering {

// Of n items: n (n - 1) / 2.
inline std::int64_t pairs_of(std::int64_t items) {
  return items * (items - 1) / 2;
}

// Renumbers the clusters. Requires 0 <= y_i < y.size().
void make_canonical(std::span<std::int32_t> y);

// Throws unless y is a canonical partition of so many items.
void check_partition(sculpt::Labels y, std::int64_t items);

// The partition that follows a canonical one in lexicographic order; false after the last, which
// has each item by itself. The first one is all 0.
bool next_partition(std::span<std::int32_t> y);

// How many partitions so many items have (Bell's number), or limit + 1 when there are more.
std::int64_t partition_count(std::int64_t items, std::int64_t limit);

}  // namespace clustering
