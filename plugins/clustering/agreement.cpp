#include "agreement.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "partition.hpp"

namespace clustering {

double rand_error(std::int64_t items, std::int64_t wrong_pairs) {
  return static_cast<double>(wrong_pairs) /
         static_cast<double>(std::max<std::int64_t>(1, pairs_of(items)));
}

double LinkCounts::mitre_loss() const {
  const std::int64_t required_links = 2 * items - truth_clusters - guess_clusters;
  if (required_links == 0) return 0;
  return 1 - 2 * static_cast<double>(items - cells) / static_cast<double>(required_links);
}

Agreement::Agreement(std::span<const std::int32_t> truth, std::span<const std::int32_t> guess) {
  std::map<std::int32_t, std::int64_t> truth_size;
  std::map<std::int32_t, std::int64_t> guess_size;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> cell_size;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++truth_size[truth[i]];
    ++guess_size[guess[i]];
    ++cell_size[{truth[i], guess[i]}];
  }
  const auto count = [](const auto& sizes) { return static_cast<std::int64_t>(sizes.size()); };
  links_ = {static_cast<std::int64_t>(truth.size()), count(truth_size), count(guess_size),
            count(cell_size)};
  for (const auto& [cluster, size] : truth_size) truth_pairs_ += pairs_of(size);
  for (const auto& [cluster, size] : guess_size) guess_pairs_ += pairs_of(size);
  const auto items = static_cast<double>(truth.size());
  for (const auto& [clusters, size] : cell_size) {
    common_pairs_ += pairs_of(size);
    const double squared = static_cast<double>(size) * static_cast<double>(size);
    b_cubed_recall_ += squared / static_cast<double>(truth_size[clusters.first]) / items;
    b_cubed_precision_ += squared / static_cast<double>(guess_size[clusters.second]) / items;
  }
}

double Agreement::b_cubed_f1() const {
  return 2 * b_cubed_precision_ * b_cubed_recall_ / (b_cubed_precision_ + b_cubed_recall_);
}

}  // namespace clustering
