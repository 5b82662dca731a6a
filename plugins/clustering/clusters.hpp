// clusters.hpp - clusters that grow together or exchange items, and what MITRE counts of them.
//
// A cluster is known by a number below the number n of items; some numbers are of no cluster.
#pragma once

#include "objective.hpp"

namespace clustering {

class Clusters {
 public:
  // Requires 0 <= y_i < n; both live on, and y is kept up to date. Where MITRE counts: 4 n K bytes
  // for K clusters of the truth.
  Clusters(const Objective& objective, std::span<std::int32_t> y);

  std::size_t number_of(std::size_t item) const { return static_cast<std::size_t>(y_[item]); }
  std::int64_t size(std::size_t number) const { return size_[number]; }
  // The least number without items, or n.
  std::size_t free_number() const;

  // How many clusters of the truth have items in both; 0 without MITRE. O(K)
  std::int32_t shared(std::size_t a, std::size_t b) const;
  // What the loss gains when two clusters that share so many become one, or an item goes over.
  double merge_gain(std::int32_t shared) const { return gain(-1, -shared); }
  double move_gain(std::size_t item, std::size_t to) const;

  void merge(std::size_t a, std::size_t b);  // into a
  void move(std::size_t item, std::size_t to);

 private:
  bool mitre() const { return objective_.mitre_weight != 0; }
  // Where the items of a number in the truth's cluster of an item are counted.
  std::size_t cell(std::size_t number, std::size_t item) const {
    return number * truth_clusters_ + static_cast<std::size_t>(objective_.truth[item]);
  }
  double gain(std::int64_t clusters, std::int64_t cells) const;
  // By how much a move changes the number of cells that are not empty.
  std::int64_t cells_gained(std::size_t item, std::size_t to) const;

  const Objective& objective_;
  std::span<std::int32_t> y_;
  std::vector<std::int64_t> size_;  // [n]
  std::size_t truth_clusters_ = 0;  // K
  std::vector<std::int32_t> cell_;  // [n][K]
  LinkCounts links_;
};

}  // namespace clustering
