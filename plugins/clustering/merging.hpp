// merging.hpp - merges clusters two at a time, the largest gain first.
//
// Finley and Joachims, Supervised Clustering with Support Vector Machines, ICML 2005, section 4.1.
// Called by partition_search.cpp.
#pragma once

#include <sculpt/cpp/host.hpp>

#include "clusters.hpp"

namespace clustering {

class Merging {
 public:
  // Starts with the present clusters. All three arguments must outlive this object. Time O(n^2), or
  // O(n^2 K) with MITRE and K clusters of the truth. Memory: 12 n^2 bytes for n items. Throws
  // E_CANCELLED if the host asks to stop.
  Merging(const Objective& objective, Clusters& clusters, const sculpt::Host& host);

  // Merges until no merge gains anything. Returns true if it merged at all. Ties: the smaller
  // numbers first. For sums over pairs typically O(n^2), at worst O(n^3). With MITRE O(n^3),
  // because every step changes all gains. Throws E_CANCELLED if the host asks to stop.
  bool run();

 private:
  struct Partner {
    double gain = 0;
    std::size_t number = 0;
  };

  // Returns the gain of the objective if two clusters merge.
  double gain(std::size_t a, std::size_t b) const;
  // Finds the best partner of `a` among the larger numbers.
  void find_partner(std::size_t a);
  // Sets shared_ of `a` with all other clusters.
  void count_shared(std::size_t a);
  void merge(std::size_t a, std::size_t b);
  // Finds the partners that may have changed after b merged into a.
  void update_partners(std::size_t a, std::size_t b);

  const Objective& objective_;
  Clusters& clusters_;
  const sculpt::Host& host_;
  PairScores between_scores_;                 // sums of the scores between two clusters, by number
  std::vector<std::int32_t> shared_;          // Clusters::shared(), [n][n], with MITRE
  std::vector<std::size_t> cluster_numbers_;  // of clusters, ascending
  std::vector<Partner> partners_;             // [n]
};

}  // namespace clustering
