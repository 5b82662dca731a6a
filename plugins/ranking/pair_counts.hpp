// pair_counts.hpp - the pairs of documents of different kinds, one of which is better, and how an
// output swaps them.
//
// Outputs have two forms. An order (order_output.hpp) has n numbers. A set of swapped pairs, which
// may be no order, has 2n numbers. The first n count the worse documents before each document. The
// last n count the better documents after each document. Both psi and the share of swapped pairs
// depend on these counts alone.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// Counts documents by kind; a Fenwick tree. O(log K) a call.
class GradeGroupCounter {
 public:
  // For the kinds 0 to `largest`.
  explicit GradeGroupCounter(std::int32_t largest)
      : sum_(static_cast<std::size_t>(largest) + 2, 0) {}
  void add(std::int32_t kind, std::int64_t documents) {
    all_ += documents;
    for (auto k = static_cast<std::size_t>(kind) + 1; k < sum_.size(); k += k & (~k + 1)) {
      sum_[k] += documents;
    }
  }
  std::int64_t below(std::int32_t kind) const {
    std::int64_t documents = 0;
    for (auto k = static_cast<std::size_t>(kind); k > 0; k -= k & (~k + 1)) documents += sum_[k];
    return documents;
  }
  std::int64_t above(std::int32_t kind) const { return all_ - below(kind + 1); }

 private:
  std::vector<std::int64_t> sum_;  // [kinds + 1], of the tree
  std::int64_t all_ = 0;
};

// Counts, for one document, the documents of other kinds by their place. Tied documents are not
// counted.
struct PairCounts {
  std::int64_t worse_ahead = 0;
  std::int64_t worse_behind = 0;
  std::int64_t better_ahead = 0;
  std::int64_t better_behind = 0;
};

// Returns the counts of each document under y of either form, O(n log K). Throws for counts of no
// set of pairs. kind[documents]
std::vector<PairCounts> pair_counts(std::span<const std::int32_t> kind, sculpt::Labels y);

// Returns the number of pairs.
std::int64_t pairs_of(std::span<const std::int32_t> kind);

// Returns the weight of a pair: 1, or 1 / number of pairs; 0 without pairs.
double pair_weight(std::span<const std::int32_t> kind, bool normalize);

// Returns the coefficients c[documents] of psi: the sum over the pairs of weight / 2 (x_i - x_j)
// with the sign of their order.
std::vector<double> pair_coefficients(std::span<const std::int32_t> kind, sculpt::Labels y,
                                      double weight);

// Returns the number of swapped pairs; ties count half.
double swapped_pair_count(std::span<const std::int32_t> kind, sculpt::Labels y);
// Returns the share of swapped pairs, 0 without pairs.
double swapped_pair_share(std::span<const std::int32_t> kind, sculpt::Labels y);

}  // namespace ranking
