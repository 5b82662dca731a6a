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
    throw sculpt::unsupported_error(
        "orders documents by the features `ranking`; set features to it");
  }
  if (!bindings.loss.present()) return;
  loss_ = sculpt::own_loss<RankingLoss, PairError, MeanAveragePrecision, ReciprocalRank, Ndcg>(
      bindings.loss);
  if (loss_ == nullptr) {
    throw sculpt::unsupported_error(
        "orders documents with the losses pair_error, mean_average_precision, reciprocal_rank and "
        "ndcg of its own library, not with " +
        bindings.loss.id());
  }
  pairs_ = sculpt::same_library<PairError>(bindings.loss, sculpt::Loss<PairError>::component);
  if (pairs_ != nullptr && pairs_->normalizes() != features_->normalizes()) {
    const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
    host_.warn("features.normalize is " + text(features_->normalizes()) + " and loss.normalize " +
               text(pairs_->normalizes()) +
               ", so that margins differ between queries; SVM-rank has true for both (-l 2), or "
               "false for both (-l 1)");
  }
  gains_ = sculpt::own_loss<GainLoss, MeanAveragePrecision, ReciprocalRank, Ndcg>(bindings.loss);
  const sculpt::Range train = features_->data().input().split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    check_kinds(example, bindings.loss.id());
    const sculpt::Labels grades = features_->data().grades(example);
    if (gains_ != nullptr && grades.known()) check_cells(example, grades);
  }
}

void RankingOracle::check_cells(std::int64_t example, sculpt::Labels grades) const {
  std::map<std::int32_t, double> documents;  // of each kind
  for (const std::int32_t kind : features_->kinds().of(grades)) documents[kind] += 1;
  double cells = 1;
  for (const auto& entry : documents) cells *= entry.second + 1;
  if (cells <= static_cast<double>(max_cells_)) return;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", cells);
  throw sculpt::unsupported_error("example " + std::to_string(example) + ": the " +
                                  std::to_string(grades.count()) +
                                  " documents of this query, by their grades, make " + text +
                                  " cells, more than max_cells; raise it, set relevant_from of "
                                  "features and loss, or take the loss pair_error");
}

// Throws unless psi distinguishes all that the loss does. For swapped pairs both must be equal.
void RankingOracle::check_kinds(std::int64_t example, const std::string& loss_id) const {
  std::map<std::int32_t, std::int32_t> of_psi, of_loss;  // the corresponding kinds of the other
  for (const std::int32_t grade : features_->data().grades(example)) {
    const std::int32_t psi = features_->kinds().of(grade);
    const std::int32_t loss = loss_->kinds().of(grade);
    const bool tells = of_psi.try_emplace(psi, loss).first->second == loss;
    const bool same = tells && of_loss.try_emplace(loss, psi).first->second == psi;
    if (same || (tells && gains_ != nullptr)) continue;
    throw sculpt::unsupported_error(
        "example " + std::to_string(example) + ": psi tells " + (tells ? "more" : "fewer") +
        " grades apart than " + loss_id + "; set features.relevant_from to " +
        std::to_string(loss_->kinds().relevant_from()) + ", as loss.relevant_from is");
  }
}

double RankingOracle::Session::score_of(std::int64_t example, sculpt::Labels y) const {
  const std::vector<double> factor = owner_.features_->coefficients(example, y);
  return std::inner_product(score_.begin(), score_.end(), factor.begin(), 0.0);
}

void RankingOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  score_.resize(static_cast<std::size_t>(owner_.features_->score_rows(query.example)));
  owner_.features_->write_scores(query.example, query.weights, score_);
  if (!std::all_of(score_.begin(), score_.end(), [](double one) { return std::isfinite(one); })) {
    throw sculpt::data_error("the scores of its documents overflow; scale the features down");
  }
  if (!query.truth.known() || owner_.loss_ == nullptr) return predict(query, answer);
  owner_.features_->data().check_order(query.example, query.truth);
  if (owner_.gains_ != nullptr) return order(query, answer);
  turn(query, answer);
}

void RankingOracle::Session::predict(const sculpt::Query& query, sculpt::Answer& answer) {
  const auto y = answer.labels().resize(static_cast<std::int64_t>(score_.size()));
  write_order([&](std::int64_t i) { return score_[static_cast<std::size_t>(i)]; },
              owner_.features_->data().grades(query.example), y);
  answer.exact(score_of(query.example, sculpt::Labels(y.data(), y.size())));
}

void RankingOracle::Session::turn(const sculpt::Query& query, sculpt::Answer& answer) {
  const std::vector<std::int32_t> kind = owner_.loss_->kinds().of(query.truth);
  sculpt::LabelOutput out = answer.labels();
  const double of_psi = owner_.features_->weight(kind);
  const double of_loss = owner_.pairs_->weight(kind);
  const double margin = of_psi > 0 ? query.loss_weight * (of_loss / of_psi) : 0;
  const std::vector<std::int32_t> y = swapped_pairs(score_, kind, margin, query.truth);
  out.assign(y);
  const double loss = owner_.loss_->loss(query.example, query.truth, y);
  answer.exact(score_of(query.example, y) + query.loss_weight * loss);
}

void RankingOracle::Session::order(const sculpt::Query& query, sculpt::Answer& answer) {
  owner_.check_cells(query.example, query.truth);
  const std::vector<std::int32_t> kind = owner_.features_->kinds().of(query.truth);
  order_.begin(score_, kind, owner_.features_->weight(kind));
  const double value =
      order_.maximize(*owner_.gains_, query.truth, query.loss_weight, owner_.host_);
  write_runs(order_.bottom_up(query.truth), kind, query.truth,
             answer.labels().resize(static_cast<std::int64_t>(score_.size())));
  answer.exact(value);
}

std::int64_t RankingOracle::Session::enumerate(std::int64_t example, std::int64_t limit,
                                               const sculpt::Visit& visit) {
  const sculpt::Labels grades = owner_.features_->data().grades(example);
  if (!grades.known() || owner_.loss_ == nullptr) return limit + 1;
  const std::vector<std::int32_t> kind = owner_.features_->kinds().of(grades);
  if (owner_.gains_ == nullptr) return each_swapped_set(kind, grades, limit, visit);
  return each_order(kind, grades, limit, visit);
}

}  // namespace ranking
