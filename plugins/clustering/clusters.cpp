#include "clusters.hpp"

namespace clustering {

Clusters::Clusters(const Objective& objective, std::span<std::int32_t> y)
    : objective_(objective), y_(y), sizes_(y.size(), 0) {
  for (const std::int32_t number : y) ++sizes_[static_cast<std::size_t>(number)];
  if (!has_mitre()) return;
  links_ = Agreement(objective.truth, y).links();
  truth_clusters_ = static_cast<std::size_t>(links_.truth_clusters);
  cell_sizes_.assign(y.size() * truth_clusters_, 0);
  for (std::size_t i = 0; i < y.size(); ++i) ++cell_sizes_[cell_index(cluster_of(i), i)];
}

std::size_t Clusters::free_number() const {
  return static_cast<std::size_t>(std::find(sizes_.begin(), sizes_.end(), 0) - sizes_.begin());
}

std::int32_t Clusters::shared(std::size_t a, std::size_t b) const {
  const std::int32_t* const cells_a = cell_sizes_.data() + a * truth_clusters_;
  const std::int32_t* const cells_b = cell_sizes_.data() + b * truth_clusters_;
  std::int32_t both = 0;
  for (std::size_t t = 0; t < truth_clusters_; ++t) {
    both += cells_a[t] > 0 && cells_b[t] > 0 ? 1 : 0;
  }
  return both;
}

double Clusters::move_gain(std::size_t item, std::size_t to) const {
  if (!has_mitre()) return 0;
  const std::int64_t clusters = (sizes_[to] == 0 ? 1 : 0) - (sizes_[cluster_of(item)] == 1 ? 1 : 0);
  return gain(clusters, cell_change(item, to));
}

std::int64_t Clusters::cell_change(std::size_t item, std::size_t to) const {
  return (cell_sizes_[cell_index(to, item)] == 0 ? 1 : 0) -
         (cell_sizes_[cell_index(cluster_of(item), item)] == 1 ? 1 : 0);
}

double Clusters::gain(std::int64_t clusters, std::int64_t cells) const {
  if (!has_mitre()) return 0;
  LinkCounts changed = links_;
  changed.guess_clusters += clusters;
  changed.cells += cells;
  return objective_.mitre_weight * (changed.mitre_loss() - links_.mitre_loss());
}

void Clusters::merge(std::size_t a, std::size_t b) {
  if (has_mitre()) {
    links_.cells -= shared(a, b);
    --links_.guess_clusters;
    for (std::size_t t = 0; t < truth_clusters_; ++t) {
      cell_sizes_[a * truth_clusters_ + t] +=
          std::exchange(cell_sizes_[b * truth_clusters_ + t], 0);
    }
  }
  sizes_[a] += std::exchange(sizes_[b], 0);
  std::replace(y_.begin(), y_.end(), static_cast<std::int32_t>(b), static_cast<std::int32_t>(a));
}

void Clusters::move(std::size_t item, std::size_t to) {
  const std::size_t from = cluster_of(item);
  if (has_mitre()) {
    links_.cells += cell_change(item, to);
    --cell_sizes_[cell_index(from, item)];
    ++cell_sizes_[cell_index(to, item)];
    links_.guess_clusters += (sizes_[to] == 0 ? 1 : 0) - (sizes_[from] == 1 ? 1 : 0);
  }
  --sizes_[from];
  ++sizes_[to];
  y_[item] = static_cast<std::int32_t>(to);
}

}  // namespace clustering
