#include "solver/generative/relative_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sculpt::core {

Vector log_relative_frequencies(std::span<const double> counts, std::span<const std::int32_t> group,
                                const Smoothing& smoothing) {
  std::int32_t group_count = 0;
  for (const std::int32_t number : group) group_count = std::max(group_count, number + 1);
  std::vector<double> totals(static_cast<std::size_t>(group_count), 0.0);
  std::vector<double> members(static_cast<std::size_t>(group_count), 0.0);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (group[j] < 0) continue;
    totals[static_cast<std::size_t>(group[j])] += counts[j] + smoothing.pseudo_count;
    members[static_cast<std::size_t>(group[j])] += 1;
  }
  Vector w(counts.size(), smoothing.ungrouped_weight);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (group[j] < 0) continue;
    const auto g = static_cast<std::size_t>(group[j]);
    const double count = counts[j] + smoothing.pseudo_count;
    w[j] = totals[g] > 0 ? std::max(smoothing.min_logarithm, std::log(count / totals[g]))
                         : -std::log(members[g]);
  }
  return w;
}

}  // namespace sculpt::core
