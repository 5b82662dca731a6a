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
  y_.resize(objective_.scores.items());
  best_.clear();
  agglomerate(objective_, owner_.moves_, owner_.host_, y_);
  offer();
  if (owner_.starts_ && query.truth.known() && query.loss_weight != 0) try_further_starts(query);
  answer.labels().assign(best_);
  if (!owner_.bounds_) return answer.found(value_);
  const double bound = std::max(value_, objective_.plain_bound());
  if (bound - value_ <= objective_.rounding()) {
    answer.exact(value_);
  } else {
    answer.found(value_);
  }
  answer.bound(bound);
}

void Agglomerative::Session::try_further_starts(const sculpt::Query& query) {
  sculpt::Query without_loss = query;
  without_loss.loss_weight = 0;
  owner_.task_.pose(without_loss, score_);
  agglomerate(score_, owner_.moves_, owner_.host_, y_);
  improve(objective_, owner_.moves_, owner_.host_, y_);
  offer();
  y_.assign(query.truth.begin(), query.truth.end());
  improve(objective_, owner_.moves_, owner_.host_, y_);
  offer();
}

void Agglomerative::Session::offer() {
  const double value = objective_.value(y_);
  if (!best_.empty() && !(value > value_)) return;
  best_ = y_;
  value_ = value;
}

}  // namespace clustering
