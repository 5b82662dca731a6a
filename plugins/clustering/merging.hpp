// merging.hpp - clusters put together two by two, those first that gain the most.
//
// Finley and Joachims, Supervised Clustering with Support Vector Machines, ICML 2005, section 4.1.
#pragma once

#include <sculpt/cpp/host.hpp>

#include "clusters.hpp"

namespace clustering {

class Merging {
 public:
  // Of the clusters that there are; all three live on. O(n^2), with MITRE and K clusters of the
  // truth O(n^2 K); 12 n^2 bytes for n items. Throws E_CANCELLED when the host asks to stop.
  Merging(const Objective& objective, Clusters& clusters, const sculpt::Host& host);

  // Puts two together until no two gain anything; whether it did so at all. Of equal gains the
  // smaller numbers come first. Sums over pairs: O(n^2) as a rule, O(n^3) at worst; with MITRE, of
  // which every step changes all gains, O(n^3). Throws E_CANCELLED when the host asks to stop.
  bool run();

 private:
  struct Partner {
    double gain = 0;
    std::size_t number = 0;
  };

  double gain(std::size_t a, std::size_t b) const;
  // The best of the larger numbers for a.
  void find_partner(std::size_t a);
  void count_shared(std::size_t a);
  void merge(std::size_t a, std::size_t b);
  void renew_partners(std::size_t a, std::size_t b);

  const Objective& objective_;
  Clusters& clusters_;
  const sculpt::Host& host_;
  PairScores between_;                // of numbers: the sum of the scores from one to the other
  std::vector<std::int32_t> shared_;  // [n][n] with MITRE
  std::vector<std::size_t> numbers_;  // of clusters, ascending
  std::vector<Partner> partner_;      // [n]
};

}  // namespace clustering
