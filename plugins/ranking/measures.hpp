// measures.hpp - how well the documents of a query are ordered: means over all orders of tied
// documents.
//
//   DCG@k = sum over the ranks r = 1, ..., k of gain(document at r) D(r),   D(r) = 1 / log2(1 + r)
//
// Jarvelin and Kekalainen, ACM TOIS 2002; gains 2^grade - 1: Burges et al., ICML 2005. Used by the
// losses.
#pragma once

#include <cstdint>
#include <sculpt/cpp/orders.hpp>
#include <span>
#include <vector>

namespace ranking {

class Discounts {
 public:
  Discounts() = default;
  // D of the ranks 1 to k, and 0 after them. k = 0: all ranks. `max_documents`: the number of
  // documents of the longest query.
  Discounts(std::int64_t k, std::int64_t max_documents);
  // Returns the sum of D over the ranks 1 to `last`, at most k.
  double sum(std::int64_t last) const { return sums_[index(last)]; }
  double at(std::int64_t rank) const { return sum(rank) - sum(rank - 1); }

 private:
  std::size_t index(std::int64_t last) const {
    return std::min(static_cast<std::size_t>(last), sums_.size() - 1);
  }
  std::vector<double> sums_{0.0};  // [min(k, max_documents) + 1]
};

// Returns DCG, with gain[documents].
double discounted_gain(std::span<const double> gain, std::span<const std::int32_t> y,
                       const Discounts& discounts);

// Return 2^grade - 1, and the grade itself. 0 for negative grades.
double exponential_gain(double grade);
double linear_gain(double grade);

// Returns 1 / rank of the first positive row. Requires positive rows.
double reciprocal_rank(std::span<const sculpt::TiedRows> order);

}  // namespace ranking
