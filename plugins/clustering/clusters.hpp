// clusters.hpp - clusters that can merge and exchange items, with the counts of MITRE.
//
// Clusters have numbers below the number n of items. Numbers without items are free. For MITRE,
// cells are counted as in agreement.hpp. Used by merging.cpp and partition_search.cpp.
#pragma once

#include "objective.hpp"

namespace clustering {

class Clusters {
 public:
  // Requires 0 <= y_i < n. Both arguments must outlive this object, which keeps y up to date. With
  // MITRE it takes 4 n K bytes for K clusters of the truth.
  Clusters(const Objective& objective, std::span<std::int32_t> y);

  std::size_t cluster_of(std::size_t item) const { return static_cast<std::size_t>(y_[item]); }
  std::int64_t size(std::size_t number) const { return sizes_[number]; }
  // Returns the smallest number without items, or n.
  std::size_t free_number() const;

  // Returns how many clusters of the truth have items in both; 0 without MITRE. O(K)
  std::int32_t shared(std::size_t a, std::size_t b) const;
  // Returns the gain of the loss term if two clusters with this number of shared clusters merge, or
  // if an item moves.
  double merge_gain(std::int32_t shared) const { return gain(-1, -shared); }
  double move_gain(std::size_t item, std::size_t to) const;

  void merge(std::size_t a, std::size_t b);  // into a
  void move(std::size_t item, std::size_t to);

 private:
  bool has_mitre() const { return objective_.mitre_weight != 0; }
  // Index of the counter for items of cluster `number` in the truth's cluster of `item`.
  std::size_t cell_index(std::size_t number, std::size_t item) const {
    return number * truth_clusters_ + static_cast<std::size_t>(objective_.truth[item]);
  }
  // Returns the change of the loss term if there are this many more clusters and nonempty cells.
  double gain(std::int64_t clusters, std::int64_t cells) const;
  // Returns the change of the number of nonempty cells by a move.
  std::int64_t cell_change(std::size_t item, std::size_t to) const;

  const Objective& objective_;
  std::span<std::int32_t> y_;
  std::vector<std::int64_t> sizes_;       // [n]
  std::size_t truth_clusters_ = 0;        // K
  std::vector<std::int32_t> cell_sizes_;  // [n][K]
  LinkCounts links_;
};

}  // namespace clustering
