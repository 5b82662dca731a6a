#include "partition_search.hpp"

#include <numeric>

#include "partition.hpp"

namespace clustering {

namespace {

struct Move {
  double gain = 0;
  std::size_t to = 0;
};

// Returns the best move of an item. score_sums[c] is the sum of its scores with the items of c.
Move best_move(const Clusters& clusters, std::size_t item, std::span<const double> score_sums) {
  const std::size_t from = clusters.cluster_of(item);
  const std::size_t new_cluster =
      clusters.size(from) > 1 ? clusters.free_number() : score_sums.size();  // none if alone
  Move best{0, from};
  for (std::size_t to = 0; to < score_sums.size(); ++to) {
    if (to == from || (clusters.size(to) == 0 && to != new_cluster)) continue;
    const double gain = score_sums[to] - score_sums[from] + clusters.move_gain(item, to);
    if (gain > best.gain) best = {gain, to};
  }
  return best;
}

}  // namespace

bool move_items(const Objective& objective, Clusters& clusters, const sculpt::Host& host) {
  const std::size_t items = objective.scores.items();
  std::vector<double> score_sums(items);
  bool moved = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < items; ++i) {
      host.throw_if_cancelled();
      std::fill(score_sums.begin(), score_sums.end(), 0.0);
      const std::span<const double> row = objective.scores.row(i);
      for (std::size_t j = 0; j < items; ++j) score_sums[clusters.cluster_of(j)] += row[j];
      const Move best = best_move(clusters, i, score_sums);
      if (!(best.gain > objective.rounding())) continue;
      clusters.move(i, best.to);
      changed = true;
    }
    moved = moved || changed;
  }
  return moved;
}

void improve(const Objective& objective, bool moves, const sculpt::Host& host,
             std::span<std::int32_t> y) {
  Clusters clusters(objective, y);
  do {
    Merging(objective, clusters, host).run();
  } while (moves && move_items(objective, clusters, host));
  make_canonical(y);
}

void agglomerate(const Objective& objective, bool moves, const sculpt::Host& host,
                 std::span<std::int32_t> y) {
  std::iota(y.begin(), y.end(), 0);
  improve(objective, moves, host, y);
}

}  // namespace clustering
