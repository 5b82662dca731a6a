#include "agglomerative.hpp"

#include "partition_search.hpp"

namespace clustering {

void Agglomerative::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  if (!task_.has_loss() || task_.rand_error() || task_.mitre()) return;
  throw sculpt::unsupported_error(
      "follows the losses rand_error and mitre from step to step, not " + bindings.loss.id() +
      "; take one of these, or for small documents the oracle clustering_enumeration");
}

void Agglomerative::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  owner_.task_.pose(query, objective_);
  const auto y = answer.labels().resize(static_cast<std::int64_t>(objective_.scores.items()));
  agglomerate(objective_, owner_.moves_, owner_.host_, y);
  const double value = objective_.value(y);
  const double bound = std::max(value, objective_.plain_bound());
  if (bound - value <= objective_.rounding()) {
    answer.exact(value);
  } else {
    answer.found(value);
  }
  answer.bound(bound);
}

}  // namespace clustering
