#include "swapped_pairs.hpp"

#include <algorithm>
#include <sculpt/cpp/orders.hpp>

#include "pair_counts.hpp"

namespace ranking {

std::vector<std::int32_t> swapped_pairs(std::span<const double> score,
                                        std::span<const std::int32_t> kind, double margin,
                                        sculpt::Labels grades) {
  const std::size_t n = score.size();
  std::vector<std::int32_t> y(2 * n);
  const std::vector<std::int64_t> order =
      sculpt::ascending(n, [&](std::int64_t i) { return score[static_cast<std::size_t>(i)]; });
  const auto document = [&](std::size_t place) { return static_cast<std::size_t>(order[place]); };
  // Rounded differences decrease with s_j and increase with s_i, so both ends only move up.
  // Ties are swapped, so that they are mistakes. Otherwise the perceptron would take w = 0 for
  // perfect.
  const auto turned = [&](std::size_t i, std::size_t j) { return score[i] - score[j] <= margin; };
  const std::int32_t largest = kind.empty() ? 0 : *std::max_element(kind.begin(), kind.end());
  GradeGroupCounter above(largest);  // documents j that are swapped with each i
  for (const std::int32_t one : kind) above.add(one, 1);
  GradeGroupCounter below(largest);  // documents i that are swapped with each j
  std::size_t first_above = 0;
  std::size_t end_below = 0;
  bool any = false;
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t here = document(place);
    for (; first_above < n && !turned(here, document(first_above)); ++first_above) {
      above.add(kind[document(first_above)], -1);
    }
    for (; end_below < n && turned(document(end_below), here); ++end_below) {
      below.add(kind[document(end_below)], 1);
    }
    y[here] = static_cast<std::int32_t>(above.below(kind[here]));
    y[n + here] = static_cast<std::int32_t>(below.above(kind[here]));
    any = any || y[here] > 0;
  }
  if (!any) y.assign(grades.begin(), grades.end());
  return y;
}

}  // namespace ranking
