#include "agglomerative.hpp"

#include "partition_search.hpp"

namespace clustering {

void Agglomerative::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  if (!task_.has_loss() || task_.loss_is_rand_error() || task_.loss_is_mitre()) return;
  throw sculpt::unsupported_error(
      "supports the losses rand_error and mitre, not " + bindings.loss.id() +
      "; use one of these, or for small documents the oracle clustering_enumeration");
}

void Agglomerative::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  owner_.task_.fill_objective(query, objective_);
  y_.resize(objective_.scores.items());
  best_.clear();
  agglomerate(objective_, owner_.moves_items_, owner_.host_, y_);
  keep_if_better();
  if (owner_.has_further_starts_ && query.truth.known() && query.loss_weight != 0) {
    try_further_starts(query);
  }
  answer.labels().assign(best_);
  if (!owner_.gives_bounds_) return answer.found(best_value_);
  const double bound = std::max(best_value_, objective_.loose_upper_bound());
  if (bound - best_value_ <= objective_.rounding()) {
    answer.exact(best_value_);
  } else {
    answer.found(best_value_);
  }
  answer.bound(bound);
}

void Agglomerative::Session::try_further_starts(const sculpt::Query& query) {
  sculpt::Query without_loss = query;
  without_loss.loss_weight = 0;
  owner_.task_.fill_objective(without_loss, score_objective_);
  agglomerate(score_objective_, owner_.moves_items_, owner_.host_, y_);
  improve(objective_, owner_.moves_items_, owner_.host_, y_);
  keep_if_better();
  y_.assign(query.truth.begin(), query.truth.end());
  improve(objective_, owner_.moves_items_, owner_.host_, y_);
  keep_if_better();
}

void Agglomerative::Session::keep_if_better() {
  const double value = objective_.value(y_);
  if (!best_.empty() && !(value > best_value_)) return;
  best_ = y_;
  best_value_ = value;
}

}  // namespace clustering
