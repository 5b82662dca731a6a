#include "measures.hpp"

#include <cmath>

namespace ranking {

Discounts::Discounts(std::int64_t k, std::int64_t longest) {
  const std::int64_t places = k == 0 ? longest : std::min(k, longest);
  for (std::int64_t r = 1; r <= places; ++r) {
    sum_.push_back(sum_.back() + 1 / std::log2(1 + static_cast<double>(r)));
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
    const double places = discounts.sum(before + size) - discounts.sum(before);
    sum += gains / static_cast<double>(size) * places;
    before += size;
  });
  return sum;
}

double exponential_gain(std::int32_t grade) {
  return std::exp2(grade) - 1;
}

double linear_gain(std::int32_t grade) {
  return grade;
}

// A tie has m rows, f of them positive. If the first positive row is not before place x, it is at x
// with probability f / (m - x + 1).
double reciprocal_rank(std::span<const sculpt::TiedRows> order) {
  std::int64_t before = 0;
  for (const sculpt::TiedRows& tied : order) {
    if (tied.positive == 0) {
      before += tied.size();
      continue;
    }
    double mean = 0;
    double left = 1;  // probability of no positive row so far
    for (std::int64_t x = 1; x <= tied.negative + 1; ++x) {
      const double here =
          static_cast<double>(tied.positive) / static_cast<double>(tied.size() - x + 1);
      mean += left * here / static_cast<double>(before + x);
      left *= 1 - here;
    }
    return mean;
  }
  return 0;
}

}  // namespace ranking
