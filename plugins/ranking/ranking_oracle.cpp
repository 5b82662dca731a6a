#include "ranking_oracle.hpp"

#include <map>
#include <numeric>

#include "all_outputs.hpp"
#include "order_output.hpp"
#include "turned_pairs.hpp"

namespace ranking {

namespace {

TwoKinds two_kinds_of(std::span<const std::int32_t> kind) {
  const auto [low, high] = std::minmax_element(kind.begin(), kind.end());
  const std::int64_t better = std::count(kind.begin(), kind.end(), *high);
  return {better, static_cast<std::int64_t>(kind.size()) - better, *high, *low};
}

}  // namespace

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
  if (features_->positions()) {
    bind_positions(bindings.loss);
  } else {
    bind_pairs(bindings.loss);
  }
}

void RankingOracle::bind_positions(sculpt::Ref loss) {
  ndcg_ = sculpt::own_loss<Ndcg, Ndcg>(loss);
  if (ndcg_ == nullptr) {
    throw sculpt::unsupported_error("psi of positions goes with the loss ndcg; for " + loss.id() +
                                    " set features.psi to pairs");
  }
  if (ndcg_->k() == features_->k()) return;
  throw sculpt::unsupported_error("features.k is " + std::to_string(features_->k()) +
                                  " and loss.k is " + std::to_string(ndcg_->k()) +
                                  "; positions are exact where both are the same");
}

void RankingOracle::bind_pairs(sculpt::Ref loss) {
  two_kinds_ = sculpt::own_loss<TwoKindLoss, MeanAveragePrecision, ReciprocalRank, Ndcg>(loss);
  const sculpt::Range train = features_->data().input().split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    check_kinds(example, loss.id());
  }
}

// Refuses where psi and the loss do not tell the same documents apart, or more than two kinds.
void RankingOracle::check_kinds(std::int64_t example, const std::string& loss_id) const {
  std::map<std::int32_t, std::int32_t> of_psi, of_loss;  // the other one's kind of each kind
  for (const std::int32_t grade : features_->data().grades(example)) {
    const std::int32_t psi = features_->kinds().of(grade);
    const std::int32_t loss = loss_->kinds().of(grade);
    const bool same = of_psi.try_emplace(psi, loss).first->second == loss &&
                      of_loss.try_emplace(loss, psi).first->second == psi;
    if (same) continue;
    throw sculpt::unsupported_error(
        "example " + std::to_string(example) + ": psi and " + loss_id +
        " do not tell the same grades apart; set features.relevant_from and loss.relevant_from " +
        "to the same" + (two_kinds_ == nullptr ? "" : ", such as 1"));
  }
  if (two_kinds_ == nullptr || of_loss.size() <= 2) return;
  throw sculpt::unsupported_error("example " + std::to_string(example) + " has documents of " +
                                  std::to_string(of_loss.size()) + " grades, but by pairs " +
                                  loss_id +
                                  " takes two kinds; set features.psi to positions, or "
                                  "relevant_from of both features and loss");
}

void RankingOracle::check_cells(const TwoKinds& kinds) const {
  const double cells = static_cast<double>(kinds.better) * static_cast<double>(kinds.worse + 1);
  if (cells <= static_cast<double>(max_cells_)) return;
  throw sculpt::unsupported_error(std::to_string(kinds.better) + " relevant documents and " +
                                  std::to_string(kinds.worse) +
                                  " others are more cells than max_cells; raise it, or take the "
                                  "loss pair_error");
}

double RankingOracle::Session::score_of(std::int64_t example, sculpt::Labels y) const {
  const std::vector<double> factor = owner_.features_->coefficients(example, y);
  return std::inner_product(score_.begin(), score_.end(), factor.begin(), 0.0);
}

void RankingOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  owner_.features_->scores(query.example, query.weights, score_);
  if (!query.truth.known() || owner_.loss_ == nullptr) return predict(query, answer);
  owner_.features_->data().check_order(query.example, query.truth);
  if (owner_.ndcg_ != nullptr) return order_positions(query, answer);
  if (owner_.two_kinds_ != nullptr) return order_kinds(query, answer);
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
  const std::vector<std::int32_t> y = turned_pairs(score_, kind, query.loss_weight, query.truth);
  out.assign(y);
  answer.exact(score_of(query.example, y) + query.loss_weight * turned_share(kind, y));
}

void RankingOracle::Session::order_kinds(const sculpt::Query& query, sculpt::Answer& answer) {
  const std::vector<std::int32_t> kind = owner_.loss_->kinds().of(query.truth);
  const TwoKinds kinds = two_kinds_of(kind);
  if (kinds.worse == 0) {  // no order is better than another
    answer.labels().assign(query.truth);
    return answer.exact(0);
  }
  owner_.check_cells(kinds);
  better_.clear();
  worse_.clear();
  for (std::size_t i = 0; i < score_.size(); ++i) {
    (kind[i] == kinds.better_kind ? better_ : worse_).add(score_[i], static_cast<std::int64_t>(i));
  }
  better_.rank();
  worse_.rank();
  const double value =
      order_.maximize(better_, worse_, *owner_.two_kinds_, kinds, query.loss_weight, owner_.host_);
  write_runs(order_.bottom_up(better_, worse_, query.truth), kind, query.truth,
             answer.labels().resize(static_cast<std::int64_t>(score_.size())));
  answer.exact(value);
}

void RankingOracle::Session::order_positions(const sculpt::Query& query, sculpt::Answer& answer) {
  const std::vector<double> share = owner_.ndcg_->shares(query.truth);
  const auto documents = static_cast<std::int64_t>(score_.size());
  const double unit = owner_.features_->share_of_all(documents);
  using Key = std::pair<double, std::int32_t>;  // of equal values the better grade comes first
  std::vector<Key> key;
  for (std::size_t i = 0; i < share.size(); ++i) {
    key.emplace_back(score_[i] * unit - query.loss_weight * share[i], query.truth[i]);
  }
  const auto y = answer.labels().resize(documents);
  write_order([&](std::int64_t i) { return key[static_cast<std::size_t>(i)]; }, query.truth, y);
  const sculpt::Labels output(y.data(), y.size());
  answer.exact(score_of(query.example, output) +
               query.loss_weight * owner_.loss_->loss(query.example, query.truth, output));
}

std::int64_t RankingOracle::Session::enumerate(std::int64_t example, std::int64_t limit,
                                               const sculpt::Visit& visit) {
  const sculpt::Labels grades = owner_.features_->data().grades(example);
  if (!grades.known() || owner_.loss_ == nullptr) return limit + 1;
  if (owner_.ndcg_ != nullptr) return each_order(grades, limit, visit);
  const std::vector<std::int32_t> kind = owner_.loss_->kinds().of(grades);
  if (owner_.two_kinds_ == nullptr) return each_turned_set(kind, grades, limit, visit);
  return each_order_of_kinds(kind, grades, limit, visit);
}

}  // namespace ranking
