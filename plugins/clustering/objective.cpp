#include "objective.hpp"

#include <cmath>

#include "partition.hpp"

namespace clustering {

double Objective::value(std::span<const std::int32_t> y) const {
  const double sum = constant + scores.sum_within(y);
  if (mitre_weight == 0) return sum;
  return sum + mitre_weight * Agreement(truth, y).links().mitre_loss();
}

double Objective::loose_upper_bound() const {
  double bound = constant + mitre_weight;
  for (std::size_t i = 0; i < scores.items(); ++i) {
    for (std::size_t j = i + 1; j < scores.items(); ++j) bound += std::max(0.0, scores.at(i, j));
  }
  return bound;
}

void ClusterTask::bind(const sculpt::Bindings& bindings) {
  features_ = sculpt::same_library<PairFeatures>(bindings.features,
                                                 sculpt::Features<PairFeatures>::component);
  if (features_ == nullptr) {
    throw sculpt::unsupported_error("needs the features `clustering`; set features to it");
  }
  has_loss_ = bindings.loss.present();
  loss_is_rand_error_ =
      sculpt::same_library<RandError>(bindings.loss, sculpt::Loss<RandError>::component);
  loss_is_mitre_ = sculpt::same_library<Mitre>(bindings.loss, sculpt::Loss<Mitre>::component);
}

void ClusterTask::check_items(std::int64_t max_items, const std::string& remedy) const {
  for (std::int64_t example = 0; example < features_->documents(); ++example) {
    const std::int64_t items = features_->item_count(example);
    if (items <= max_items) continue;
    throw sculpt::unsupported_error(
        "example " + std::to_string(example) + ", a document of " + std::to_string(items) +
        " items, has more than max_items = " + std::to_string(max_items) + "; " + remedy);
  }
}

void ClusterTask::fill_objective(const sculpt::Query& query, Objective& objective) const {
  features_->scores(query.example, query.weights, objective.scores);
  objective.constant = 0;
  objective.truth = query.truth;
  const double loss_weight = query.truth.known() ? query.loss_weight : 0;
  objective.mitre_weight = loss_is_mitre_ ? loss_weight : 0;
  const std::size_t items = objective.scores.items();
  if (query.truth.known()) check_partition(query.truth, static_cast<std::int64_t>(items));
  if (loss_is_rand_error_ && loss_weight != 0 && items > 1) {
    const double pair_loss =
        loss_weight / static_cast<double>(pairs_of(static_cast<std::int64_t>(items)));
    for (std::size_t i = 0; i < items; ++i) {
      for (std::size_t j = i + 1; j < items; ++j) {
        const bool same = query.truth[i] == query.truth[j];
        objective.scores.add(i, j, same ? -pair_loss : pair_loss);
        if (same) objective.constant += pair_loss;
      }
    }
  }
  objective.magnitude = objective.constant + objective.mitre_weight;
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t j = i + 1; j < items; ++j) {
      objective.magnitude += std::abs(objective.scores.at(i, j));
    }
  }
}

}  // namespace clustering
