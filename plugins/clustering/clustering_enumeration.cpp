#include "clustering_enumeration.hpp"

#include <algorithm>
#include <array>
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/program/loss_counts.hpp>

#include "partition.hpp"

namespace clustering {

namespace {

constexpr std::int64_t partitions_between_polls = 1024;
// In the order of CountKind.
constexpr std::array<const char*, 4> known_counts{"wrong_pairs", "clusters", "cells", "errors"};

}  // namespace

void ClusteringEnumeration::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  loss_ = bindings.loss;
  task_.check_items(max_items_,
                    "it has too many partitions to enumerate; use the oracle clustering_lp or "
                    "agglomerative");
  if (loss_.extension<sculpt_ext_count_loss>() == nullptr) return;
  for (const sculpt_count& count : sculpt::program::LossCounts(loss_, known_counts).counts()) {
    const auto name =
        std::find(known_counts.begin(), known_counts.end(), std::string_view(count.name));
    counts_.push_back({static_cast<CountKind>(name - known_counts.begin()), count.limit});
  }
}

std::int64_t ClusteringEnumeration::Count::value_of(sculpt::Labels truth, sculpt::Labels y) const {
  std::int64_t count = 0;
  switch (kind) {
    case CountKind::wrong_pairs:
      count = Agreement(truth, y).wrong_pairs();
      break;
    case CountKind::clusters:
      count = 1 + *std::max_element(y.begin(), y.end());
      break;
    case CountKind::cells:
      count = Agreement(truth, y).links().cells;
      break;
    case CountKind::errors:
      for (std::size_t i = 0; i < y.size(); ++i) count += y[i] != truth[i] ? 1 : 0;
      break;
  }
  return std::min(count, limit);
}

std::int64_t ClusteringEnumeration::Count::max_value(std::int64_t items) const {
  return std::min(kind == CountKind::wrong_pairs ? pairs_of(items) : items, limit);
}

template <class VisitPartition>
void ClusteringEnumeration::Session::each_partition(const sculpt::Query& query,
                                                    VisitPartition visit) {
  owner_.task_.features().scores(query.example, query.weights, scores_);
  std::vector<std::int32_t> y(scores_.items(), 0);
  std::int64_t seen = 0;
  do {
    if (seen++ % partitions_between_polls == 0) owner_.host_.throw_if_cancelled();
    visit(y, scores_.sum_within(y));
  } while (next_partition(y));
}

void ClusteringEnumeration::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  cursor_.end();
  const bool has_loss = query.truth.known() && query.loss_weight != 0;
  std::vector<std::int32_t> best;
  double best_value = 0;
  each_partition(query, [&](const std::vector<std::int32_t>& y, double value) {
    if (has_loss) value += query.loss_weight * loss_.loss(query.example, query.truth, y);
    if (!best.empty() && !(value > best_value)) return;
    best = y;
    best_value = value;
  });
  answer.labels().assign(best);
  answer.exact(best_value);
}

void ClusteringEnumeration::Session::begin_frontier(const sculpt::FrontierQuery& frontier_query,
                                                    sculpt::FrontierShape& shape) {
  cursor_.end();
  const sculpt::Query query = frontier_query.query();
  const std::int64_t items = owner_.task_.features().item_count(query.example);
  check_partition(query.truth, items);
  sizes_ = {1, 1};
  for (std::size_t k = 0; k < owner_.counts_.size(); ++k) {
    sizes_[k] += owner_.counts_[k].max_value(items);
  }
  shape.resize(sizes_[0], sizes_[1]);
  best_scores_.assign(static_cast<std::size_t>(sizes_[0] * sizes_[1]), sculpt::unattainable);
  best_outputs_.assign(best_scores_.size(), {});
  is_filled_ = false;
  frontier_query_ = frontier_query;
  cursor_.begin(sculpt::CursorKind::frontier);
}

void ClusteringEnumeration::Session::fill_frontier() {
  if (is_filled_) return;
  const sculpt::Query query = frontier_query_->query();
  each_partition(query, [&](const std::vector<std::int32_t>& y, double score) {
    sculpt::CountVector counts{0, 0};
    for (std::size_t k = 0; k < owner_.counts_.size(); ++k) {
      counts[k] = owner_.counts_[k].value_of(query.truth, y);
    }
    const std::size_t index = cell_index(counts);
    if (!best_outputs_[index].empty() && !(score > best_scores_[index])) return;
    best_scores_[index] = score;
    best_outputs_[index] = y;
  });
  is_filled_ = true;
}

void ClusteringEnumeration::Session::frontier_slice(std::int64_t first, std::span<double> scores) {
  cursor_.require(sculpt::CursorKind::frontier);
  sculpt::check_counts({first, 0}, sizes_);
  fill_frontier();
  const auto begin = best_scores_.begin() + static_cast<std::ptrdiff_t>(cell_index({first, 0}));
  std::copy_n(begin, scores.size(), scores.begin());
}

void ClusteringEnumeration::Session::frontier_output(const sculpt::CountVector& counts,
                                                     sculpt::LabelOutput& out) {
  cursor_.require(sculpt::CursorKind::frontier);
  sculpt::check_counts(counts, sizes_);
  fill_frontier();
  const std::vector<std::int32_t>& y = best_outputs_[cell_index(counts)];
  if (y.empty()) throw sculpt::no_output_with(counts);
  out.assign(y);
}

}  // namespace clustering
