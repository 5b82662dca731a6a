#include "pair_counts.hpp"

#include <sculpt/cpp/orders.hpp>

namespace ranking {

namespace {

std::int32_t largest_of(std::span<const std::int32_t> kind) {
  return kind.empty() ? 0 : *std::max_element(kind.begin(), kind.end());
}

// Counts all documents.
GradeGroupCounter counted(std::span<const std::int32_t> kind) {
  GradeGroupCounter all(largest_of(kind));
  for (const std::int32_t one : kind) all.add(one, 1);
  return all;
}

std::vector<PairCounts> counts_of_order(std::span<const std::int32_t> kind, sculpt::Labels y) {
  std::vector<PairCounts> counts(kind.size());
  const GradeGroupCounter all = counted(kind);
  GradeGroupCounter seen(largest_of(kind));  // documents so far, from the first to the last
  sculpt::each_tie(y, [&](std::span<const std::int64_t> tied) {
    for (const std::int64_t document : tied) {
      const auto i = static_cast<std::size_t>(document);
      counts[i].worse_ahead = seen.below(kind[i]);
      counts[i].better_ahead = seen.above(kind[i]);
    }
    for (const std::int64_t document : tied) seen.add(kind[static_cast<std::size_t>(document)], 1);
    for (const std::int64_t document : tied) {
      const auto i = static_cast<std::size_t>(document);
      counts[i].worse_behind = all.below(kind[i]) - seen.below(kind[i]);
      counts[i].better_behind = all.above(kind[i]) - seen.above(kind[i]);
    }
  });
  return counts;
}

std::vector<PairCounts> counts_of_turned(std::span<const std::int32_t> kind, sculpt::Labels y) {
  const std::size_t n = kind.size();
  const GradeGroupCounter all = counted(kind);
  std::vector<PairCounts> counts(n);
  std::int64_t surplus = 0;
  for (std::size_t i = 0; i < n; ++i) {
    PairCounts& one = counts[i];
    one.worse_ahead = y[i];
    one.better_behind = y[n + i];
    one.worse_behind = all.below(kind[i]) - one.worse_ahead;
    one.better_ahead = all.above(kind[i]) - one.better_behind;
    surplus += one.worse_ahead - one.better_behind;
    if (one.worse_behind < 0 || one.better_ahead < 0) {
      throw sculpt::Error(SCULPT_E_INVALID, "an output turns more pairs of document " +
                                                std::to_string(i) + " than there are");
    }
  }
  if (surplus == 0) return counts;
  throw sculpt::Error(SCULPT_E_INVALID, "an output turns pairs for one of their documents alone");
}

}  // namespace

std::vector<PairCounts> pair_counts(std::span<const std::int32_t> kind, sculpt::Labels y) {
  return y.size() == kind.size() ? counts_of_order(kind, y) : counts_of_turned(kind, y);
}

std::int64_t pairs_of(std::span<const std::int32_t> kind) {
  std::vector<std::int64_t> documents(static_cast<std::size_t>(largest_of(kind)) + 1, 0);
  for (const std::int32_t one : kind) ++documents[static_cast<std::size_t>(one)];
  std::int64_t pairs = 0;
  std::int64_t worse = 0;
  for (const std::int64_t better : documents) {
    pairs += better * worse;
    worse += better;
  }
  return pairs;
}

double pair_weight(std::span<const std::int32_t> kind, bool normalize) {
  const std::int64_t pairs = pairs_of(kind);
  if (pairs == 0) return 0;
  return normalize ? 1 / static_cast<double>(pairs) : 1;
}

std::vector<double> pair_coefficients(std::span<const std::int32_t> kind, sculpt::Labels y,
                                      double weight) {
  std::vector<double> c(kind.size(), 0.0);
  if (weight == 0) return c;
  const double unit = weight / 2;
  const std::vector<PairCounts> counts = pair_counts(kind, y);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const PairCounts& one = counts[i];
    c[i] = unit * static_cast<double>(one.worse_behind - one.worse_ahead + one.better_behind -
                                      one.better_ahead);
  }
  return c;
}

double swapped_pair_count(std::span<const std::int32_t> kind, sculpt::Labels y) {
  std::int64_t turned = 0;
  std::int64_t right = 0;
  for (const PairCounts& one : pair_counts(kind, y)) {
    turned += one.worse_ahead;
    right += one.worse_behind;
  }
  const std::int64_t tied = pairs_of(kind) - turned - right;
  return static_cast<double>(turned) + 0.5 * static_cast<double>(tied);
}

double swapped_pair_share(std::span<const std::int32_t> kind, sculpt::Labels y) {
  const std::int64_t pairs = pairs_of(kind);
  return pairs == 0 ? 0 : swapped_pair_count(kind, y) / static_cast<double>(pairs);
}

}  // namespace ranking
