// agreement.hpp - how well the clusters of an output agree with those of the truth.
//
// Of n items, K clusters of the truth and G of the output; a cell is what a cluster of each have in
// common, m items of them, and there are J cells that are not empty.
//
//   rand error   the share of the n (n - 1) / 2 pairs that one has together and the other apart
//   MITRE        recall (n - J) / (n - K), precision (n - J) / (n - G), and their F1
//                2 (n - J) / (2 n - K - G): a cluster of k items is k - 1 links, and of those that
//                one side needs (n - K, n - G) the other has all that its cells leave whole.
//                Vilain, Burger, Aberdeen, Connolly and Hirschman, MUC-6, 1995
//   B-cubed      precision 1/n sum over the cells of m^2 / (its cluster of the output), recall
//                likewise with its cluster of the truth. Bagga and Baldwin, LREC workshop 1998
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clustering {

// Of a single item 0.
double rand_error(std::int64_t items, std::int64_t wrong_pairs);

// The numbers of which MITRE is a function.
struct LinkCounts {
  std::int64_t items = 0;           // n
  std::int64_t truth_clusters = 0;  // K
  std::int64_t guess_clusters = 0;  // G
  std::int64_t cells = 0;           // J

  // 1 - F1; 0 where neither side has a link.
  double mitre_loss() const;
};

class Agreement {
 public:
  // Requires arrays of one size, n >= 1, without negative numbers. O(n log n)
  Agreement(std::span<const std::int32_t> truth, std::span<const std::int32_t> guess);

  const LinkCounts& links() const { return links_; }
  // Together on one side and apart on the other.
  std::int64_t wrong_pairs() const { return truth_pairs_ + guess_pairs_ - 2 * common_pairs_; }

  double rand_error() const { return clustering::rand_error(links_.items, wrong_pairs()); }
  double b_cubed_f1() const;

 private:
  LinkCounts links_;
  std::int64_t truth_pairs_ = 0;   // together in the truth
  std::int64_t guess_pairs_ = 0;   // in the output
  std::int64_t common_pairs_ = 0;  // in both
  double b_cubed_precision_ = 0;
  double b_cubed_recall_ = 0;
};

}  // namespace clustering
