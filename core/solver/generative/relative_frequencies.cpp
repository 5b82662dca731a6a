#include "solver/generative/relative_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sculpt::core {

Vector relative_frequencies(std::span<const double> counts, std::span<const std::int32_t> group,
                            const Smoothing& smoothing) {
  std::int32_t groups = 0;
  for (const std::int32_t number : group) groups = std::max(groups, number + 1);
  std::vector<double> whole(static_cast<std::size_t>(groups), 0.0);
  std::vector<double> size(static_cast<std::size_t>(groups), 0.0);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (group[j] < 0) continue;
    whole[static_cast<std::size_t>(group[j])] += counts[j] + smoothing.added;
    size[static_cast<std::size_t>(group[j])] += 1;
  }
  Vector w(counts.size(), smoothing.ungrouped);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (group[j] < 0) continue;
    const auto g = static_cast<std::size_t>(group[j]);
    const double part = counts[j] + smoothing.added;
    w[j] = whole[g] > 0 ? std::max(smoothing.never, std::log(part / whole[g])) : -std::log(size[g]);
  }
  return w;
}

}  // namespace sculpt::core
