// agreement.hpp - how well the clusters of an output agree with the clusters of the truth.
//
// There are n items, K clusters of the truth and G of the output. A cell is the intersection of a
// cluster of the truth and one of the output, with m items. J cells are not empty.
//
//   rand error   the share of the n (n - 1) / 2 pairs together on one side and apart on the other
//   MITRE        recall (n - J) / (n - K), precision (n - J) / (n - G), and their F1
//                2 (n - J) / (2 n - K - G). A cluster of k items has k - 1 links. A side needs
//                n - K (or n - G) links; the other side has those within its cells.
//                Vilain, Burger, Aberdeen, Connolly and Hirschman, MUC-6, 1995
//   B-cubed      precision 1/n sum over the cells of m^2 / (its cluster of the output), recall
//                likewise with its cluster of the truth. Bagga and Baldwin, LREC workshop 1998
//
// Used by cluster_losses.hpp, clusters.hpp, objective.cpp and clustering_enumeration.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clustering {

// Returns the share of wrong pairs, 0 for a single item.
double rand_error(std::int64_t items, std::int64_t wrong_pairs);

// The numbers that determine MITRE.
struct LinkCounts {
  std::int64_t items = 0;           // n
  std::int64_t truth_clusters = 0;  // K
  std::int64_t guess_clusters = 0;  // G
  std::int64_t cells = 0;           // J

  // Returns 1 - F1, or 0 if neither side has a link.
  double mitre_loss() const;
};

class Agreement {
 public:
  // Requires arrays of the same size n >= 1, without negative numbers. O(n log n)
  Agreement(std::span<const std::int32_t> truth, std::span<const std::int32_t> guess);

  const LinkCounts& links() const { return links_; }
  // Pairs that are together on one side and apart on the other.
  std::int64_t wrong_pairs() const { return truth_pairs_ + guess_pairs_ - 2 * common_pairs_; }

  double rand_error() const { return clustering::rand_error(links_.items, wrong_pairs()); }
  double b_cubed_f1() const;

 private:
  LinkCounts links_;
  std::int64_t truth_pairs_ = 0;   // together in the truth
  std::int64_t guess_pairs_ = 0;   // together in the output
  std::int64_t common_pairs_ = 0;  // in both
  double b_cubed_precision_ = 0;
  double b_cubed_recall_ = 0;
};

}  // namespace clustering
