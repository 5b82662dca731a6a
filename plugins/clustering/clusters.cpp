#include "clusters.hpp"

namespace clustering {

Clusters::Clusters(const Objective& objective, std::span<std::int32_t> y)
    : objective_(objective), y_(y), size_(y.size(), 0) {
  for (const std::int32_t number : y) ++size_[static_cast<std::size_t>(number)];
  if (!mitre()) return;
  links_ = Agreement(objective.truth, y).links();
  truth_clusters_ = static_cast<std::size_t>(links_.truth_clusters);
  cell_.assign(y.size() * truth_clusters_, 0);
  for (std::size_t i = 0; i < y.size(); ++i) ++cell_[cell(number_of(i), i)];
}

std::size_t Clusters::free_number() const {
  return static_cast<std::size_t>(std::find(size_.begin(), size_.end(), 0) - size_.begin());
}

std::int32_t Clusters::shared(std::size_t a, std::size_t b) const {
  const std::int32_t* const of_a = cell_.data() + a * truth_clusters_;
  const std::int32_t* const of_b = cell_.data() + b * truth_clusters_;
  std::int32_t both = 0;
  for (std::size_t t = 0; t < truth_clusters_; ++t) both += of_a[t] > 0 && of_b[t] > 0 ? 1 : 0;
  return both;
}

double Clusters::move_gain(std::size_t item, std::size_t to) const {
  if (!mitre()) return 0;
  const std::int64_t clusters = (size_[to] == 0 ? 1 : 0) - (size_[number_of(item)] == 1 ? 1 : 0);
  return gain(clusters, cells_gained(item, to));
}

std::int64_t Clusters::cells_gained(std::size_t item, std::size_t to) const {
  return (cell_[cell(to, item)] == 0 ? 1 : 0) - (cell_[cell(number_of(item), item)] == 1 ? 1 : 0);
}

double Clusters::gain(std::int64_t clusters, std::int64_t cells) const {
  if (!mitre()) return 0;
  LinkCounts changed = links_;
  changed.guess_clusters += clusters;
  changed.cells += cells;
  return objective_.mitre_weight * (changed.mitre_loss() - links_.mitre_loss());
}

void Clusters::merge(std::size_t a, std::size_t b) {
  if (mitre()) {
    links_.cells -= shared(a, b);
    --links_.guess_clusters;
    for (std::size_t t = 0; t < truth_clusters_; ++t) {
      cell_[a * truth_clusters_ + t] += std::exchange(cell_[b * truth_clusters_ + t], 0);
    }
  }
  size_[a] += std::exchange(size_[b], 0);
  std::replace(y_.begin(), y_.end(), static_cast<std::int32_t>(b), static_cast<std::int32_t>(a));
}

void Clusters::move(std::size_t item, std::size_t to) {
  const std::size_t from = number_of(item);
  if (mitre()) {
    links_.cells += cells_gained(item, to);
    --cell_[cell(from, item)];
    ++cell_[cell(to, item)];
    links_.guess_clusters += (size_[to] == 0 ? 1 : 0) - (size_[from] == 1 ? 1 : 0);
  }
  --size_[from];
  ++size_[to];
  y_[item] = static_cast<std::int32_t>(to);
}

}  // namespace clustering
