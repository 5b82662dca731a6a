// pair_counts.hpp - the pairs of documents of different groups, one of which is better, and how an
// output swaps them.
//
// Outputs have two forms. An order (order_output.hpp) has n numbers. A set of swapped pairs, which
// may be no order, has 2n numbers. The first n count the worse documents before each document. The
// last n count the better documents after each document. Both psi and the share of swapped pairs
// depend on these counts alone. Used by the features, the losses and swapped_pairs.cpp.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// Counts documents by group; a Fenwick tree. O(log K) a call.
class GradeGroupCounter {
 public:
  // For the groups 0 to `max_group`.
  explicit GradeGroupCounter(std::int32_t max_group)
      : sums_(static_cast<std::size_t>(max_group) + 2, 0) {}
  void add(std::int32_t group, std::int64_t documents) {
    total_ += documents;
    for (auto k = static_cast<std::size_t>(group) + 1; k < sums_.size(); k += k & (~k + 1)) {
      sums_[k] += documents;
    }
  }
  std::int64_t below(std::int32_t group) const {
    std::int64_t documents = 0;
    for (auto k = static_cast<std::size_t>(group); k > 0; k -= k & (~k + 1)) documents += sums_[k];
    return documents;
  }
  std::int64_t above(std::int32_t group) const { return total_ - below(group + 1); }

 private:
  std::vector<std::int64_t> sums_;  // of the tree, [groups + 1]
  std::int64_t total_ = 0;
};

// For one document: the numbers of documents of other groups before and after it. Tied documents
// are not counted.
struct PairCounts {
  std::int64_t worse_before = 0;
  std::int64_t worse_after = 0;
  std::int64_t better_before = 0;
  std::int64_t better_after = 0;
};

// Returns the counts of each document under y of either form, O(n log K). Throws for counts of no
// set of pairs. group[documents]
std::vector<PairCounts> pair_counts(std::span<const std::int32_t> group, sculpt::Labels y);

// Returns the number of pairs.
std::int64_t pairs_of(std::span<const std::int32_t> group);

// Returns the weight of a pair: 1, or 1 / number of pairs; 0 without pairs.
double pair_weight(std::span<const std::int32_t> group, bool normalize);

// Returns the coefficients c[documents] of psi: the sum over the pairs of weight / 2 (x_i - x_j)
// with the sign of their order.
std::vector<double> pair_coefficients(std::span<const std::int32_t> group, sculpt::Labels y,
                                      double weight);

// Returns the number of swapped pairs; ties count half.
double swapped_pair_count(std::span<const std::int32_t> group, sculpt::Labels y);
// Returns the share of swapped pairs, 0 without pairs.
double swapped_pair_share(std::span<const std::int32_t> group, sculpt::Labels y);

}  // namespace ranking
