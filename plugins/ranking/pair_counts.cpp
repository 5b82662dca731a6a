#include "pair_counts.hpp"

#include <sculpt/cpp/orders.hpp>

#include "grade_groups.hpp"

namespace ranking {

namespace {

std::int32_t max_group_of(std::span<const std::int32_t> group) {
  return group.empty() ? 0 : *std::max_element(group.begin(), group.end());
}

// Counts all documents.
GradeGroupCounter count_groups(std::span<const std::int32_t> group) {
  GradeGroupCounter totals(max_group_of(group));
  for (const std::int32_t document_group : group) totals.add(document_group, 1);
  return totals;
}

// The counts of an order.
std::vector<PairCounts> counts_of_order(std::span<const std::int32_t> group, sculpt::Labels y) {
  std::vector<PairCounts> counts(group.size());
  const GradeGroupCounter totals = count_groups(group);
  GradeGroupCounter seen(max_group_of(group));  // documents so far, from the first to the last
  sculpt::each_tie(y, [&](std::span<const std::int64_t> tied) {
    for (const std::int64_t document : tied) {
      const auto i = static_cast<std::size_t>(document);
      counts[i].worse_before = seen.below(group[i]);
      counts[i].better_before = seen.above(group[i]);
    }
    for (const std::int64_t document : tied) seen.add(group[static_cast<std::size_t>(document)], 1);
    for (const std::int64_t document : tied) {
      const auto i = static_cast<std::size_t>(document);
      counts[i].worse_after = totals.below(group[i]) - seen.below(group[i]);
      counts[i].better_after = totals.above(group[i]) - seen.above(group[i]);
    }
  });
  return counts;
}

// The counts of a set of swapped pairs, which y has.
std::vector<PairCounts> counts_of_swapped_pairs(std::span<const std::int32_t> group,
                                                sculpt::Labels y) {
  const std::size_t n = group.size();
  const GradeGroupCounter totals = count_groups(group);
  std::vector<PairCounts> counts(n);
  std::int64_t surplus = 0;
  for (std::size_t i = 0; i < n; ++i) {
    PairCounts& document = counts[i];
    document.worse_before = y[i];
    document.better_after = y[n + i];
    document.worse_after = totals.below(group[i]) - document.worse_before;
    document.better_before = totals.above(group[i]) - document.better_after;
    surplus += document.worse_before - document.better_after;
    if (document.worse_after < 0 || document.better_before < 0) {
      throw sculpt::Error(SCULPT_E_INVALID, "an output swaps more pairs of document " +
                                                std::to_string(i) + " than exist");
    }
  }
  if (surplus == 0) return counts;
  throw sculpt::Error(SCULPT_E_INVALID,
                      "an output swaps pairs for only one of their two documents");
}

}  // namespace

std::vector<PairCounts> pair_counts(std::span<const std::int32_t> given_group, sculpt::Labels y) {
  std::vector<std::int32_t> storage;
  const std::span<const std::int32_t> group = small_groups(given_group, storage);
  return y.size() == group.size() ? counts_of_order(group, y) : counts_of_swapped_pairs(group, y);
}

std::int64_t pairs_of(std::span<const std::int32_t> given_group) {
  std::vector<std::int32_t> storage;
  const std::span<const std::int32_t> group = small_groups(given_group, storage);
  std::vector<std::int64_t> documents(static_cast<std::size_t>(max_group_of(group)) + 1, 0);
  for (const std::int32_t document_group : group) {
    ++documents[static_cast<std::size_t>(document_group)];
  }
  std::int64_t pairs = 0;
  std::int64_t worse = 0;
  for (const std::int64_t better : documents) {
    pairs += better * worse;
    worse += better;
  }
  return pairs;
}

double pair_weight(std::span<const std::int32_t> group, bool normalize) {
  const std::int64_t pairs = pairs_of(group);
  if (pairs == 0) return 0;
  return normalize ? 1 / static_cast<double>(pairs) : 1;
}

std::vector<double> pair_coefficients(std::span<const std::int32_t> group, sculpt::Labels y,
                                      double weight) {
  std::vector<double> c(group.size(), 0.0);
  if (weight == 0) return c;
  const double half_weight = weight / 2;
  const std::vector<PairCounts> counts = pair_counts(group, y);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const PairCounts& document = counts[i];
    c[i] = half_weight * static_cast<double>(document.worse_after - document.worse_before +
                                             document.better_after - document.better_before);
  }
  return c;
}

double swapped_pair_count(std::span<const std::int32_t> group, sculpt::Labels y) {
  std::int64_t swapped = 0;
  std::int64_t right = 0;
  for (const PairCounts& document : pair_counts(group, y)) {
    swapped += document.worse_before;
    right += document.worse_after;
  }
  const std::int64_t tied = pairs_of(group) - swapped - right;
  return static_cast<double>(swapped) + 0.5 * static_cast<double>(tied);
}

double swapped_pair_share(std::span<const std::int32_t> group, sculpt::Labels y) {
  const std::int64_t pairs = pairs_of(group);
  return pairs == 0 ? 0 : swapped_pair_count(group, y) / static_cast<double>(pairs);
}

}  // namespace ranking
