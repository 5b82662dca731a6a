// partition.hpp - a partition of a document's items as an output: y_i is the cluster of item i.
//
// An output is canonical: item 0 is in cluster 0, and each new cluster from left to right has the
// next number. So equal partitions are equal arrays. Called by the dataset, the features and the
// oracles.
#pragma once

#include <cstdint>
#include <sculpt/cpp/views.hpp>
#include <span>

namespace clustering {

// Returns the number of pairs, n (n - 1) / 2.
inline std::int64_t pairs_of(std::int64_t items) {
  return items * (items - 1) / 2;
}

// Renumbers the clusters. Requires 0 <= y_i < y.size().
void make_canonical(std::span<std::int32_t> y);

// Throws unless y is a canonical partition of this number of items.
void check_partition(sculpt::Labels y, std::int64_t items);

// Advances to the next canonical partition in lexicographic order. The first is all 0. Returns
// false after the last, in which each item is alone.
bool next_partition(std::span<std::int32_t> y);

// Returns the number of partitions of `items` items (Bell number), or limit + 1 if there are more.
std::int64_t partition_count(std::int64_t items, std::int64_t limit);

}  // namespace clustering
