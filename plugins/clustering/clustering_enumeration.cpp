#include "clustering_enumeration.hpp"

#include <array>
#include <sculpt/program/loss_counts.hpp>

#include "partition.hpp"

namespace clustering {

namespace {

constexpr std::int64_t partitions_between_polls = 1024;
constexpr std::array<std::string_view, 4> known_counts{"wrong_pairs", "clusters", "cells",
                                                       "errors"};

}  // namespace

void ClusteringEnumeration::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  loss_ = bindings.loss;
  if (loss_.extension<sculpt_ext_count_loss>() == nullptr) return;
  const sculpt::program::LossCounts counts(loss_, known_counts);
  most_errors_ = counts.counts().front().limit;
}

std::int64_t ClusteringEnumeration::Session::items_of(std::int64_t example) const {
  const std::int64_t items = owner_.task_.features().items(example);
  if (items <= owner_.max_items_) return items;
  throw sculpt::unsupported_error(
      "goes through the partitions of at most max_items = " + std::to_string(owner_.max_items_) +
      " items, and the document has " + std::to_string(items) +
      "; take the oracle clustering_lp or agglomerative");
}

template <class VisitPartition>
void ClusteringEnumeration::Session::each_partition(const sculpt::Query& query,
                                                    VisitPartition visit) {
  std::vector<std::int32_t> y(static_cast<std::size_t>(items_of(query.example)), 0);
  owner_.task_.features().scores(query.example, query.weights, scores_);
  std::int64_t seen = 0;
  do {
    if (seen++ % partitions_between_polls == 0) owner_.host_.throw_if_cancelled();
    visit(y, scores_.within(y));
  } while (next_partition(y));
}

void ClusteringEnumeration::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  const bool loss_counts = query.truth.known() && query.loss_weight != 0;
  std::vector<std::int32_t> best;
  double best_value = 0;
  each_partition(query, [&](const std::vector<std::int32_t>& y, double value) {
    if (loss_counts) value += query.loss_weight * loss_.loss(query.example, query.truth, y);
    if (!best.empty() && !(value > best_value)) return;
    best = y;
    best_value = value;
  });
  answer.labels().assign(best);
  answer.exact(best_value);
}

void ClusteringEnumeration::Session::begin_frontier(const sculpt::FrontierQuery& asked,
                                                    sculpt::FrontierShape& shape) {
  const std::int64_t items = items_of(asked.query().example);
  check_partition(asked.query().truth, items);
  const bool mitre = owner_.task_.mitre();
  const std::int64_t most = mitre                       ? items
                            : owner_.task_.rand_error() ? pairs_of(items)
                                                        : std::min(items, owner_.most_errors_);
  width_ = mitre ? items + 1 : 1;
  shape.resize(most + 1, width_);
  best_.assign(cell(most + 1, 0), sculpt::unattainable);
  y_.clear();
  asked_ = asked;
}

sculpt::CountVector ClusteringEnumeration::Session::counted(sculpt::Labels truth,
                                                            sculpt::Labels y) const {
  if (owner_.task_.rand_error()) return {Agreement(truth, y).wrong_pairs(), 0};
  if (owner_.task_.mitre()) {
    const LinkCounts links = Agreement(truth, y).links();
    return {links.guess_clusters, links.cells};
  }
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < y.size(); ++i) errors += y[i] != truth[i] ? 1 : 0;
  return {std::min(errors, owner_.most_errors_), 0};
}

void ClusteringEnumeration::Session::fill_frontier() {
  y_.resize(best_.size());
  const sculpt::Query query = asked_->query();
  each_partition(query, [&](const std::vector<std::int32_t>& y, double score) {
    const sculpt::CountVector counts = counted(query.truth, y);
    const std::size_t at = cell(counts[0], counts[1]);
    if (!y_[at].empty() && !(score > best_[at])) return;
    best_[at] = score;
    y_[at] = y;
  });
}

void ClusteringEnumeration::Session::frontier_slice(std::int64_t first, std::span<double> scores) {
  if (y_.empty()) fill_frontier();
  std::copy_n(best_.begin() + static_cast<std::ptrdiff_t>(cell(first, 0)), scores.size(),
              scores.begin());
}

void ClusteringEnumeration::Session::frontier_output(const sculpt::CountVector& counts,
                                                     sculpt::LabelOutput& out) {
  if (y_.empty()) fill_frontier();
  out.assign(y_[cell(counts[0], counts[1])]);
}

}  // namespace clustering
