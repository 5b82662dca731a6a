// pair_counts.hpp - the pairs of documents of different kinds, of which one is the better one, and
// how an output turns them.
//
// Two forms of outputs. An order (order_output.hpp) has n numbers. A set of turned pairs, which no
// order need have, has 2n: for each document i how many worse ones come ahead of it, and then for
// each how many better ones come behind it. Both psi and the share of turned pairs depend on these
// counts alone.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// How many documents of which kinds there are so far; a Fenwick tree. O(log K) a call.
class KindCounter {
 public:
  // For kinds 0 to `largest`.
  explicit KindCounter(std::int32_t largest) : sum_(static_cast<std::size_t>(largest) + 2, 0) {}
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

// Of one document: those of other kinds, by where they are. What ties with it is in neither.
struct PairCounts {
  std::int64_t worse_ahead = 0;
  std::int64_t worse_behind = 0;
  std::int64_t better_ahead = 0;
  std::int64_t better_behind = 0;
};

// Of each document under y of either form, O(n log K). Throws for counts that no set of pairs has.
// kind[documents]
std::vector<PairCounts> pair_counts(std::span<const std::int32_t> kind, sculpt::Labels y);

// How many pairs there are.
std::int64_t pairs_of(std::span<const std::int32_t> kind);

// What each pair counts: 1, or 1 by the number of pairs; 0 without pairs.
double pair_weight(std::span<const std::int32_t> kind, bool normalize);

// The sum of what a pair adds to psi, weight / 2 (x_i - x_j) with the sign of its order, has
// document i so often. c[documents]
std::vector<double> pair_coefficients(std::span<const std::int32_t> kind, sculpt::Labels y,
                                      double weight);

// How many pairs are turned, ties half.
double turned_number(std::span<const std::int32_t> kind, sculpt::Labels y);
// Their share; 0 without pairs.
double turned_share(std::span<const std::int32_t> kind, sculpt::Labels y);

}  // namespace ranking
