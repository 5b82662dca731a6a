#include "ranking_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "all_outputs.hpp"
#include "order_output.hpp"
#include "swapped_pairs.hpp"

namespace ranking {

void RankingOracle::bind(const sculpt::Bindings& bindings) {
  features_ = sculpt::same_library<RankingFeatures>(bindings.features,
                                                    sculpt::Features<RankingFeatures>::component);
  if (features_ == nullptr) {
    throw sculpt::unsupported_error("needs the features `ranking`; set features to it");
  }
  if (!bindings.loss.present()) return;
  loss_ = sculpt::own_loss<RankingLoss, PairError, MeanAveragePrecision, ReciprocalRank, Ndcg>(
      bindings.loss);
  if (loss_ == nullptr) {
    throw sculpt::unsupported_error(
        "supports the losses pair_error, mean_average_precision, reciprocal_rank and ndcg of its "
        "own library, not " +
        bindings.loss.id() + "; use one of these");
  }
  pair_error_ = sculpt::same_library<PairError>(bindings.loss, sculpt::Loss<PairError>::component);
  if (pair_error_ != nullptr && pair_error_->normalizes() != features_->normalizes()) {
    const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
    host_.warn(
        "features.normalize is " + text(features_->normalizes()) + " and loss.normalize " +
        text(pair_error_->normalizes()) +
        ", so margins differ between queries; set both to true, as SVM-rank -l 2, or both to "
        "false, as -l 1");
  }
  gain_loss_ =
      sculpt::own_loss<GainLoss, MeanAveragePrecision, ReciprocalRank, Ndcg>(bindings.loss);
  const sculpt::Range train = features_->data().input().split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    check_groups(example, bindings.loss.id());
    const sculpt::Labels grades = features_->data().grades(example);
    if (gain_loss_ != nullptr && grades.known()) check_cells(example, grades);
  }
}

void RankingOracle::check_cells(std::int64_t example, sculpt::Labels grades) const {
  std::map<std::int32_t, double> documents;  // of each group
  for (const std::int32_t group : features_->groups().groups_of(grades)) documents[group] += 1;
  double cells = 1;
  for (const auto& entry : documents) cells *= entry.second + 1;
  if (cells <= static_cast<double>(max_cells_)) return;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", cells);
  throw sculpt::unsupported_error("example " + std::to_string(example) + ": the " +
                                  std::to_string(grades.count()) +
                                  " documents of this query, by their grades, make " + text +
                                  " cells, more than max_cells; raise max_cells, set "
                                  "relevant_from of features and loss, or use the loss pair_error");
}

// Throws unless psi distinguishes all that the loss does. For swapped pairs both must be equal.
void RankingOracle::check_groups(std::int64_t example, const std::string& loss_id) const {
  std::map<std::int32_t, std::int32_t> loss_group_of, psi_group_of;
  for (const std::int32_t grade : features_->data().grades(example)) {
    const std::int32_t psi_group = features_->groups().group_of(grade);
    const std::int32_t loss_group = loss_->groups().group_of(grade);
    const bool is_finer =
        loss_group_of.try_emplace(psi_group, loss_group).first->second == loss_group;
    const bool is_same =
        is_finer && psi_group_of.try_emplace(loss_group, psi_group).first->second == psi_group;
    if (is_same || (is_finer && gain_loss_ != nullptr)) continue;
    throw sculpt::unsupported_error("example " + std::to_string(example) + ": psi distinguishes " +
                                    (is_finer ? "more" : "fewer") + " grades than " + loss_id +
                                    "; set features.relevant_from to " +
                                    grade_text(loss_->groups().relevant_from()) +
                                    ", the value of loss.relevant_from");
  }
}

double RankingOracle::Session::score_of(std::int64_t example, sculpt::Labels y) const {
  const std::vector<double> factors = owner_.features_->coefficients(example, y);
  return std::inner_product(scores_.begin(), scores_.end(), factors.begin(), 0.0);
}

void RankingOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  scores_.resize(static_cast<std::size_t>(owner_.features_->score_rows(query.example)));
  owner_.features_->write_scores(query.example, query.weights, scores_);
  if (!std::all_of(scores_.begin(), scores_.end(),
                   [](double score) { return std::isfinite(score); })) {
    throw sculpt::data_error(
        "the scores of its documents overflow; set \"scaling\" in \"dataset\"");
  }
  if (!query.truth.known() || owner_.loss_ == nullptr) return predict(query, answer);
  owner_.features_->data().check_order(query.example, query.truth);
  if (owner_.gain_loss_ != nullptr) return find_order(query, answer);
  swap_pairs(query, answer);
}

void RankingOracle::Session::predict(const sculpt::Query& query, sculpt::Answer& answer) {
  const auto y = answer.labels().resize(static_cast<std::int64_t>(scores_.size()));
  write_order([&](std::int64_t i) { return scores_[static_cast<std::size_t>(i)]; },
              owner_.features_->data().grades(query.example), y);
  answer.exact(score_of(query.example, sculpt::Labels(y.data(), y.size())));
}

void RankingOracle::Session::swap_pairs(const sculpt::Query& query, sculpt::Answer& answer) {
  const std::vector<std::int32_t> group = owner_.loss_->groups().groups_of(query.truth);
  sculpt::LabelOutput out = answer.labels();
  const double psi_weight = owner_.features_->weight(group);
  const double pair_loss = owner_.pair_error_->weight(group);
  const double margin = psi_weight > 0 ? query.loss_weight * (pair_loss / psi_weight) : 0;
  const std::vector<std::int32_t> y = swapped_pairs(scores_, group, margin, query.truth);
  out.assign(y);
  const double loss = owner_.loss_->loss(query.example, query.truth, y);
  answer.exact(score_of(query.example, y) + query.loss_weight * loss);
}

void RankingOracle::Session::find_order(const sculpt::Query& query, sculpt::Answer& answer) {
  owner_.check_cells(query.example, query.truth);
  const std::vector<std::int32_t> group = owner_.features_->groups().groups_of(query.truth);
  order_.begin(scores_, group, owner_.features_->weight(group));
  const double value =
      order_.maximize(*owner_.gain_loss_, query.truth, query.loss_weight, owner_.host_);
  write_runs(order_.bottom_up(query.truth), group, query.truth,
             answer.labels().resize(static_cast<std::int64_t>(scores_.size())));
  answer.exact(value);
}

std::int64_t RankingOracle::Session::enumerate(std::int64_t example, std::int64_t limit,
                                               const sculpt::Visit& visit) {
  const sculpt::Labels grades = owner_.features_->data().grades(example);
  if (!grades.known() || owner_.loss_ == nullptr) return limit + 1;
  const std::vector<std::int32_t> group = owner_.features_->groups().groups_of(grades);
  if (owner_.gain_loss_ == nullptr) return each_swapped_set(group, grades, limit, visit);
  return each_order(group, grades, limit, visit);
}

}  // namespace ranking
