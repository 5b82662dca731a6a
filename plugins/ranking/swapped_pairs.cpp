#include "swapped_pairs.hpp"

#include <algorithm>
#include <sculpt/cpp/orders.hpp>

#include "grade_groups.hpp"
#include "pair_counts.hpp"

namespace ranking {

std::vector<std::int32_t> swapped_pairs(std::span<const double> score,
                                        std::span<const std::int32_t> given_group, double margin,
                                        sculpt::Labels grades) {
  std::vector<std::int32_t> storage;
  const std::span<const std::int32_t> group = small_groups(given_group, storage);
  const std::size_t n = score.size();
  std::vector<std::int32_t> y(2 * n);
  const std::vector<std::int64_t> order =
      sculpt::ascending(n, [&](std::int64_t i) { return score[static_cast<std::size_t>(i)]; });
  const auto document = [&](std::size_t position) {
    return static_cast<std::size_t>(order[position]);
  };
  // Rounded differences decrease with s_j and increase with s_i, so both ends only move up.
  // Ties are swapped, so that they are mistakes. Otherwise the perceptron would take w = 0 for
  // perfect.
  const auto is_swapped = [&](std::size_t i, std::size_t j) {
    return score[i] - score[j] <= margin;
  };
  const std::int32_t max_group = group.empty() ? 0 : *std::max_element(group.begin(), group.end());
  GradeGroupCounter above(max_group);  // documents j that are swapped with each i
  for (const std::int32_t document_group : group) above.add(document_group, 1);
  GradeGroupCounter below(max_group);  // documents i that are swapped with each j
  std::size_t first_above = 0;
  std::size_t end_below = 0;
  bool any_swapped = false;
  for (std::size_t position = 0; position < n; ++position) {
    const std::size_t current = document(position);
    for (; first_above < n && !is_swapped(current, document(first_above)); ++first_above) {
      above.add(group[document(first_above)], -1);
    }
    for (; end_below < n && is_swapped(document(end_below), current); ++end_below) {
      below.add(group[document(end_below)], 1);
    }
    y[current] = static_cast<std::int32_t>(above.below(group[current]));
    y[n + current] = static_cast<std::int32_t>(below.above(group[current]));
    any_swapped = any_swapped || y[current] > 0;
  }
  if (!any_swapped) y.assign(grades.begin(), grades.end());
  return y;
}

}  // namespace ranking
