#include "clustering_enumeration.hpp"

#include "partition.hpp"

namespace clustering {

namespace {
constexpr std::int64_t partitions_between_polls = 1024;
}

void ClusteringEnumeration::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  loss_ = bindings.loss;
}

void ClusteringEnumeration::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  const std::int64_t items = owner_.task_.features().items(query.example);
  if (items > owner_.max_items_) {
    throw sculpt::unsupported_error(
        "goes through the partitions of at most max_items = " + std::to_string(owner_.max_items_) +
        " items, and the document has " + std::to_string(items) +
        "; take the oracle clustering_lp or agglomerative");
  }
  owner_.task_.features().scores(query.example, query.weights, scores_);
  const bool loss_counts = query.truth.known() && query.loss_weight != 0;
  std::vector<std::int32_t> y(static_cast<std::size_t>(items), 0);
  sculpt::LabelOutput out = answer.labels();
  double best = 0;
  std::int64_t seen = 0;
  do {
    if (seen % partitions_between_polls == 0) owner_.host_.throw_if_cancelled();
    double value = scores_.within(y);
    if (loss_counts) value += query.loss_weight * loss_.loss(query.example, query.truth, y);
    if (seen++ > 0 && !(value > best)) continue;
    best = value;
    out.assign(y);
  } while (next_partition(y));
  answer.exact(best);
}

}  // namespace clustering
