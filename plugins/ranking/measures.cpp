#include "measures.hpp"

#include <cmath>

namespace ranking {

Discounts::Discounts(std::int64_t k, std::int64_t max_documents) {
  const std::int64_t ranks = k == 0 ? max_documents : std::min(k, max_documents);
  for (std::int64_t r = 1; r <= ranks; ++r) {
    sums_.push_back(sums_.back() + 1 / std::log2(1 + static_cast<double>(r)));
  }
}

double discounted_gain(std::span<const double> gain, std::span<const std::int32_t> y,
                       const Discounts& discounts) {
  double sum = 0;
  std::int64_t before = 0;
  sculpt::each_tie(y, [&](std::span<const std::int64_t> tied) {
    double gains = 0;
    for (const std::int64_t document : tied) gains += gain[static_cast<std::size_t>(document)];
    const auto size = static_cast<std::int64_t>(tied.size());
    const double discount = discounts.sum(before + size) - discounts.sum(before);
    sum += gains / static_cast<double>(size) * discount;
    before += size;
  });
  return sum;
}

double exponential_gain(double grade) {
  return std::exp2(std::max(grade, 0.0)) - 1;
}

double linear_gain(double grade) {
  return std::max(grade, 0.0);
}

// A tie has m rows, f of them positive. If the first positive row is not before rank x, it is at x
// with probability f / (m - x + 1).
double reciprocal_rank(std::span<const sculpt::TiedRows> order) {
  std::int64_t before = 0;
  for (const sculpt::TiedRows& tied : order) {
    if (tied.positive == 0) {
      before += tied.size();
      continue;
    }
    double mean = 0;
    double none_so_far = 1;  // probability of no positive row so far
    for (std::int64_t x = 1; x <= tied.negative + 1; ++x) {
      const double probability =
          static_cast<double>(tied.positive) / static_cast<double>(tied.size() - x + 1);
      mean += none_so_far * probability / static_cast<double>(before + x);
      none_so_far *= 1 - probability;
    }
    return mean;
  }
  return 0;
}

}  // namespace ranking
