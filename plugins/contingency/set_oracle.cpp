#include "set_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "all_outputs.hpp"
#include "set_losses.hpp"
#include "svmlight_set.hpp"

namespace contingency {

void SetOracle::bind(const sculpt::Bindings& bindings) {
  features_ = sculpt::same_library<SetFeatures>(bindings.features,
                                                sculpt::Features<SetFeatures>::component);
  if (features_ == nullptr) {
    throw sculpt::unsupported_error(
        "finds the best rows by the features `contingency`; set features to it");
  }
  ranks_ = sculpt::same_library<SvmLightSet>(bindings.dataset,
                                             sculpt::Dataset<SvmLightSet>::component) != nullptr;
  if (features_->orders() && !ranks_) {
    throw sculpt::unsupported_error("orders the rows of the dataset svmlight_set; outputs of " +
                                    bindings.dataset.id() + " have labels alone");
  }
  if (!bindings.loss.present()) return;
  order_loss_ = sculpt::own_loss<OrderLoss, RocArea, AveragePrecision>(bindings.loss);
  if (features_->orders() && order_loss_ == nullptr) {
    const bool counts = bindings.loss.extension<sculpt_ext_count_loss>() != nullptr;
    throw sculpt::unsupported_error(
        "orders rows with the losses roc_area and average_precision; " +
        (counts ? "for " + bindings.loss.id() + " set features.output to labels"
                : "take one of them in place of " + bindings.loss.id()));
  }
  if (!features_->orders() && order_loss_ != nullptr) {
    throw sculpt::unsupported_error("takes rows for positive, but " + bindings.loss.id() +
                                    " judges their order; set features.output to order");
  }
  if (order_loss_ == nullptr) bind_counts(bindings.loss);
}

void SetOracle::bind_counts(sculpt::Ref loss) {
  counts_ = sculpt::program::LossCounts(loss, known_counts);
  const auto counts = counts_.counts();
  if (counts.size() != 2 || std::string_view(counts[0].name) != known_counts[0] ||
      std::string_view(counts[1].name) != known_counts[1]) {
    throw sculpt::unsupported_error("counts matched and predicted rows, both; " + counts_.id() +
                                    " is a function of others; take error_rate, f_beta or another "
                                    "loss of the library contingency");
  }
  limits_ = sculpt::program::limits_of(counts);
  own_ =
      sculpt::own_loss<SetLoss, FBeta, ErrorRate, BalancedError, BreakEven, PrecisionAt, RecallAt>(
          loss);
  measure_tables();
}

PredictedRange SetOracle::taken(std::int64_t positive, std::int64_t others) const {
  return own_ != nullptr ? own_->taken({positive, others, 0, 0})
                         : PredictedRange{0, positive + others};
}

sculpt::CountVector SetOracle::largest_counts(std::int64_t example) const {
  const sculpt::Labels truth = features_->data().input().truth(example);
  const Contingency rows = count(truth, truth);
  const std::int64_t most = taken(rows.positive, rows.negative).most;
  return {std::min(rows.positive, most), most};
}

// Losses of this library need no tables except for frontiers.
void SetOracle::measure_tables() {
  const sculpt::SiteInput& input = features_->data().input();
  const sculpt::Range train = input.split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    if (!input.truth(example).known() || fits(example)) continue;
    frontiers_fit_ = false;
    if (own_ == nullptr) refuse_table(example);
  }
}

bool SetOracle::fits(std::int64_t example) const {
  const sculpt::CountVector most = largest_counts(example);
  const auto slices = static_cast<double>(most[0] + 1);
  return slices * static_cast<double>(most[1] + 1) <= static_cast<double>(max_cells_);
}

void SetOracle::refuse_table(std::int64_t example) const {
  const sculpt::CountVector most = largest_counts(example);
  throw sculpt::unsupported_error("example " + std::to_string(example) + ": " +
                                  std::to_string(most[0] + 1) + " x " +
                                  std::to_string(most[1] + 1) +
                                  " pairs of counts are more than max_cells; raise it, or take "
                                  "margin rescaling with a loss of the library contingency");
}

void SetOracle::Session::score(std::int64_t example, std::span<const double> w) {
  const std::int64_t rows = owner_.features_->score_rows(example);
  score_.resize(static_cast<std::size_t>(rows));
  owner_.features_->write_scores(example, w, score_);
  rows_ = static_cast<double>(std::max<std::int64_t>(rows, 1));
  double sum = 0;  // not finite if a score is not
  double largest = 0;
  for (const double one : score_) {
    sum += one;
    largest = std::max(largest, std::abs(one));
  }
  // An upper bound of all sums over rows or pairs of rows, in any order.
  largest *= std::max(1.0, owner_.features_->cost());
  if (!std::isfinite(sum) || !std::isfinite(4 * largest * rows_ * rows_)) {
    throw sculpt::data_error("the scores of its rows overflow; scale the features down");
  }
}

void SetOracle::Session::rank(const sculpt::Query& query) {
  owner_.features_->data().check(query.example, query.truth);
  score(query.example, query.weights);
  positive_.clear();
  others_.clear();
  const double cost = owner_.features_->cost();
  all_ = 0;
  for (std::size_t i = 0; i < score_.size(); ++i) {
    const bool positive = query.truth[i] == 1;
    const double score = positive ? cost * score_[i] : score_[i];
    all_ += score;
    (positive ? positive_ : others_).add(score, static_cast<std::int64_t>(i));
  }
  owner_.host_.parallel(2, [&](std::int64_t kind) { (kind == 0 ? positive_ : others_).rank(); });
}

void SetOracle::Session::predict(const sculpt::Query& query, sculpt::Answer& answer) {
  score(query.example, query.weights);
  const auto y = answer.labels().resize(static_cast<std::int64_t>(score_.size()));
  if (owner_.ranks_) {
    write_output(score_, y);
  } else {
    std::transform(score_.begin(), score_.end(), y.begin(),
                   [](double one) { return one > 0 ? 1 : 0; });
  }
  const std::vector<double> factor =
      owner_.features_->coefficients(query.example, sculpt::Labels(y.data(), y.size()));
  answer.exact(std::inner_product(score_.begin(), score_.end(), factor.begin(), 0.0));
}

void SetOracle::Session::find_order(const sculpt::Query& query, sculpt::Answer& answer) {
  double loss = 0;
  const bool judged = positive_.count() > 0 && others_.count() > 0;
  if (owner_.order_loss_ != nullptr && judged) {
    loss = owner_.order_loss_->maximize(positive_, others_, query.loss_weight, order_);
  } else {
    order_.maximize_roc(positive_, others_, 0);  // by score
  }
  order_.write(positive_, others_,
               answer.labels().resize(static_cast<std::int64_t>(score_.size())));
  answer.exact(order_.score(positive_, others_) + query.loss_weight * loss);
}

void SetOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  cursor_.end();
  if (!query.truth.known()) return predict(query, answer);
  rank(query);
  if (owner_.features_->orders()) return find_order(query, answer);
  std::optional<Choice> best;
  each_candidate(query, [&](std::int64_t right, std::int64_t wrong) {
    const double value = score_of(right, wrong) + query.loss_weight * loss(query, right, wrong);
    if (!best || value > best->value) best = Choice{right, wrong, value};
  });
  sculpt::LabelOutput out = answer.labels();
  write(best->right, best->wrong, out);
  answer.exact(best->value);
}

template <class VisitPair>
void SetOracle::Session::each_candidate(const sculpt::Query& query, VisitPair visit) const {
  const std::int64_t positive = positive_.count();
  const std::int64_t others = others_.count();
  if (owner_.own_ != nullptr || query.loss_weight == 0) {
    const PredictedRange range = owner_.taken(positive, others);
    std::int64_t wrong = 0;
    for (std::int64_t a = 0; a <= std::min(positive, range.most); ++a) {
      const std::int64_t least = std::max<std::int64_t>(0, range.least - a);
      const std::int64_t most = std::min(others, range.most - a);
      if (least > most) continue;
      wrong = best_wrong(a, query.loss_weight, {least, most}, std::clamp(wrong, least, most));
      visit(a, wrong);
    }
  } else {
    if (!owner_.fits(query.example)) owner_.refuse_table(query.example);
    for (std::int64_t a = 0; a <= positive; ++a) {
      owner_.host_.throw_if_cancelled();
      for (std::int64_t b = 0; b <= others; ++b) visit(a, b);
    }
  }
}

// The gain of one more row decreases with b, so the first row without gain ends the search. It is
// usually near that of a - 1: steps double from there, then bisection.
std::int64_t SetOracle::Session::best_wrong(std::int64_t right, double loss_weight,
                                            const PredictedRange& among, std::int64_t near) const {
  const auto pays = [&](std::int64_t wrong) {
    double gain = 2 * others_.score(wrong) / rows_;
    if (loss_weight > 0) {
      gain += loss_weight * (owner_.own_->value(counted(right, wrong + 1)) -
                             owner_.own_->value(counted(right, wrong)));
    }
    return gain > 0;
  };
  std::int64_t low = near;   // rows below gain
  std::int64_t high = near;  // this row does not gain
  if (near < among.most && pays(near)) {
    for (std::int64_t step = 1; high < among.most && pays(high); step *= 2) {
      low = high + 1;
      high = std::min(among.most, high + step);
    }
  } else {
    for (std::int64_t step = 1; low > among.least && !pays(low - 1); step *= 2) {
      high = low - 1;
      low = std::max(among.least, low - step);
    }
  }
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (pays(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

double SetOracle::Session::loss(const sculpt::Query& query, std::int64_t right,
                                std::int64_t wrong) const {
  if (query.loss_weight == 0) return 0;
  if (owner_.own_ != nullptr) return owner_.own_->value(counted(right, wrong));
  return loss_.value(query.example, query.truth, owner_.counts(right, wrong));
}

void SetOracle::Session::write(std::int64_t right, std::int64_t wrong,
                               sculpt::LabelOutput& out) const {
  const auto y = out.resize(static_cast<std::int64_t>(score_.size()));
  std::fill(y.begin(), y.end(), 0);
  for (std::int64_t k = 0; k < right; ++k) y[static_cast<std::size_t>(positive_.row(k))] = 1;
  for (std::int64_t k = 0; k < wrong; ++k) y[static_cast<std::size_t>(others_.row(k))] = 1;
}

std::int64_t SetOracle::Session::enumerate(std::int64_t example, std::int64_t limit,
                                           const sculpt::Visit& visit) {
  cursor_.end();
  const SetData& data = owner_.features_->data();
  const sculpt::Labels truth = data.input().truth(example);
  if (owner_.features_->orders() && truth.known()) return each_order(truth, limit, visit);
  PredictedRange range{0, data.rows(example)};
  if (truth.known()) {
    const Contingency rows = count(truth, truth);
    range = owner_.taken(rows.positive, rows.negative);
  }
  return each_choice(data.rows(example), range, limit, visit);
}

}  // namespace contingency
