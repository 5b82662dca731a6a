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
    throw sculpt::unsupported_error("needs the features `contingency`; set features to it");
  }
  outputs_have_order_ = sculpt::same_library<SvmLightSet>(
                            bindings.dataset, sculpt::Dataset<SvmLightSet>::component) != nullptr;
  if (features_->outputs_are_orders() && !outputs_have_order_) {
    throw sculpt::unsupported_error(
        "orders only rows of the dataset svmlight_set, but outputs of " + bindings.dataset.id() +
        " have labels; set dataset.use to svmlight_set, or "
        "features.output to labels");
  }
  if (!bindings.loss.present()) return;
  order_loss_ = sculpt::own_loss<OrderLoss, RocArea, AveragePrecision>(bindings.loss);
  if (features_->outputs_are_orders() && order_loss_ == nullptr) {
    const bool counts = bindings.loss.extension<sculpt_ext_count_loss>() != nullptr;
    throw sculpt::unsupported_error(
        "orders rows only with the losses roc_area and average_precision; " +
        (counts ? "for " + bindings.loss.id() + " set features.output to labels"
                : "use one of them instead of " + bindings.loss.id()));
  }
  if (!features_->outputs_are_orders() && order_loss_ != nullptr) {
    throw sculpt::unsupported_error("predicts labels of rows, but the loss " + bindings.loss.id() +
                                    " depends on their order; set features.output to order");
  }
  if (order_loss_ == nullptr) bind_counts(bindings.loss);
}

void SetOracle::bind_counts(sculpt::Ref loss) {
  counts_ = sculpt::program::LossCounts(loss, known_counts);
  const auto counts = counts_.counts();
  if (counts.size() != 2 || std::string_view(counts[0].name) != known_counts[0] ||
      std::string_view(counts[1].name) != known_counts[1]) {
    throw sculpt::unsupported_error("needs a loss on both counts, matched and predicted, but " +
                                    counts_.id() +
                                    " uses others; use error_rate, f_beta or another loss of the "
                                    "library contingency");
  }
  limits_ = sculpt::program::limits_of(counts);
  set_loss_ =
      sculpt::own_loss<SetLoss, FBeta, ErrorRate, BalancedError, BreakEven, PrecisionAt, RecallAt>(
          loss);
  check_table_sizes();
}

PredictedRange SetOracle::predicted_range(std::int64_t positive, std::int64_t negative) const {
  return set_loss_ != nullptr ? set_loss_->predicted_range({positive, negative, 0, 0})
                              : PredictedRange{0, positive + negative};
}

sculpt::CountVector SetOracle::max_counts(std::int64_t example) const {
  const sculpt::Labels truth = features_->data().input().truth(example);
  const Contingency rows = count_outcomes(truth, truth);
  const std::int64_t max_predicted = predicted_range(rows.positive, rows.negative).max;
  return {std::min(rows.positive, max_predicted), max_predicted};
}

// Losses of this library need no tables except for frontiers.
void SetOracle::check_table_sizes() {
  const sculpt::SiteInput& input = features_->data().input();
  const sculpt::Range train = input.split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    if (!input.truth(example).known() || table_fits(example)) continue;
    frontiers_fit_ = false;
    if (set_loss_ == nullptr) refuse_table(example);
  }
}

bool SetOracle::table_fits(std::int64_t example) const {
  const sculpt::CountVector max = max_counts(example);
  const auto slices = static_cast<double>(max[0] + 1);
  return slices * static_cast<double>(max[1] + 1) <= static_cast<double>(max_cells_);
}

void SetOracle::refuse_table(std::int64_t example) const {
  const sculpt::CountVector max = max_counts(example);
  throw sculpt::unsupported_error("example " + std::to_string(example) + ": " +
                                  std::to_string(max[0] + 1) + " x " + std::to_string(max[1] + 1) +
                                  " pairs of counts are more than max_cells; raise max_cells, or "
                                  "use margin rescaling with a loss of the library contingency");
}

void SetOracle::Session::compute_scores(std::int64_t example, std::span<const double> w) {
  const std::int64_t rows = owner_.features_->score_rows(example);
  scores_.resize(static_cast<std::size_t>(rows));
  owner_.features_->write_scores(example, w, scores_);
  row_count_ = static_cast<double>(std::max<std::int64_t>(rows, 1));
  double sum = 0;  // not finite if a score is not
  double largest = 0;
  for (const double row_score : scores_) {
    sum += row_score;
    largest = std::max(largest, std::abs(row_score));
  }
  // An upper bound of all sums over rows or pairs of rows, in any order.
  largest *= std::max(1.0, owner_.features_->cost());
  if (!std::isfinite(sum) || !std::isfinite(4 * largest * row_count_ * row_count_)) {
    throw sculpt::data_error("the scores of its rows overflow; set \"scaling\" in \"dataset\"");
  }
}

void SetOracle::Session::rank_rows(const sculpt::Query& query) {
  owner_.features_->data().check(query.example, query.truth);
  compute_scores(query.example, query.weights);
  positive_.clear();
  negative_.clear();
  const double cost = owner_.features_->cost();
  score_sum_ = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const bool positive = query.truth[i] == 1;
    const double score = positive ? cost * scores_[i] : scores_[i];
    score_sum_ += score;
    (positive ? positive_ : negative_).add(score, static_cast<std::int64_t>(i));
  }
  owner_.host_.parallel(2, [&](std::int64_t kind) { (kind == 0 ? positive_ : negative_).rank(); });
}

void SetOracle::Session::predict(const sculpt::Query& query, sculpt::Answer& answer) {
  compute_scores(query.example, query.weights);
  const auto y = answer.labels().resize(static_cast<std::int64_t>(scores_.size()));
  if (owner_.outputs_have_order_) {
    write_output(scores_, y);
  } else {
    std::transform(scores_.begin(), scores_.end(), y.begin(),
                   [](double row_score) { return row_score > 0 ? 1 : 0; });
  }
  const std::vector<double> factors =
      owner_.features_->coefficients(query.example, sculpt::Labels(y.data(), y.size()));
  answer.exact(std::inner_product(scores_.begin(), scores_.end(), factors.begin(), 0.0));
}

void SetOracle::Session::find_order(const sculpt::Query& query, sculpt::Answer& answer) {
  double loss = 0;
  const bool has_both_kinds = positive_.count() > 0 && negative_.count() > 0;
  if (owner_.order_loss_ != nullptr && has_both_kinds) {
    loss = owner_.order_loss_->maximize(positive_, negative_, query.loss_weight, order_);
  } else {
    order_.maximize_roc(positive_, negative_, 0);  // by score
  }
  order_.write(positive_, negative_,
               answer.labels().resize(static_cast<std::int64_t>(scores_.size())));
  answer.exact(order_.score(positive_, negative_) + query.loss_weight * loss);
}

void SetOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  cursor_.end();
  if (!query.truth.known()) return predict(query, answer);
  rank_rows(query);
  if (owner_.features_->outputs_are_orders()) return find_order(query, answer);
  std::optional<Candidate> best;
  each_candidate(query, [&](std::int64_t true_positives, std::int64_t false_positives) {
    const double value = score_of(true_positives, false_positives) +
                         query.loss_weight * loss(query, true_positives, false_positives);
    if (!best || value > best->value) best = Candidate{true_positives, false_positives, value};
  });
  sculpt::LabelOutput out = answer.labels();
  write_labels(best->true_positives, best->false_positives, out);
  answer.exact(best->value);
}

template <class VisitPair>
void SetOracle::Session::each_candidate(const sculpt::Query& query, VisitPair visit) const {
  const std::int64_t positive = positive_.count();
  const std::int64_t negative = negative_.count();
  if (owner_.set_loss_ != nullptr || query.loss_weight == 0) {
    const PredictedRange range = owner_.predicted_range(positive, negative);
    std::int64_t false_positives = 0;
    for (std::int64_t a = 0; a <= std::min(positive, range.max); ++a) {
      const std::int64_t min = std::max<std::int64_t>(0, range.min - a);
      const std::int64_t max = std::min(negative, range.max - a);
      if (min > max) continue;
      false_positives = best_false_positives(a, query.loss_weight, {min, max},
                                             std::clamp(false_positives, min, max));
      visit(a, false_positives);
    }
  } else {
    if (!owner_.table_fits(query.example)) owner_.refuse_table(query.example);
    for (std::int64_t a = 0; a <= positive; ++a) {
      owner_.host_.throw_if_cancelled();
      for (std::int64_t b = 0; b <= negative; ++b) visit(a, b);
    }
  }
}

// The gain of one more row decreases with b, so the first row without gain ends the search. It is
// usually near that of a - 1: steps double from there, then bisection.
std::int64_t SetOracle::Session::best_false_positives(std::int64_t true_positives,
                                                      double loss_weight,
                                                      const PredictedRange& range,
                                                      std::int64_t start) const {
  const auto next_row_gains = [&](std::int64_t false_positives) {
    double gain = 2 * negative_.score(false_positives) / row_count_;
    if (loss_weight > 0) {
      gain +=
          loss_weight * (owner_.set_loss_->value(outcomes_of(true_positives, false_positives + 1)) -
                         owner_.set_loss_->value(outcomes_of(true_positives, false_positives)));
    }
    return gain > 0;
  };
  std::int64_t low = start;   // rows below gain
  std::int64_t high = start;  // this row does not gain
  if (start < range.max && next_row_gains(start)) {
    for (std::int64_t step = 1; high < range.max && next_row_gains(high); step *= 2) {
      low = high + 1;
      high = std::min(range.max, high + step);
    }
  } else {
    for (std::int64_t step = 1; low > range.min && !next_row_gains(low - 1); step *= 2) {
      high = low - 1;
      low = std::max(range.min, low - step);
    }
  }
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (next_row_gains(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

double SetOracle::Session::loss(const sculpt::Query& query, std::int64_t true_positives,
                                std::int64_t false_positives) const {
  if (query.loss_weight == 0) return 0;
  if (owner_.set_loss_ != nullptr) {
    return owner_.set_loss_->value(outcomes_of(true_positives, false_positives));
  }
  return loss_.value(query.example, query.truth, owner_.counts(true_positives, false_positives));
}

void SetOracle::Session::write_labels(std::int64_t true_positives, std::int64_t false_positives,
                                      sculpt::LabelOutput& out) const {
  const auto y = out.resize(static_cast<std::int64_t>(scores_.size()));
  std::fill(y.begin(), y.end(), 0);
  for (std::int64_t k = 0; k < true_positives; ++k) {
    y[static_cast<std::size_t>(positive_.row(k))] = 1;
  }
  for (std::int64_t k = 0; k < false_positives; ++k) {
    y[static_cast<std::size_t>(negative_.row(k))] = 1;
  }
}

std::int64_t SetOracle::Session::enumerate(std::int64_t example, std::int64_t limit,
                                           const sculpt::Visit& visit) {
  cursor_.end();
  const SetData& data = owner_.features_->data();
  const sculpt::Labels truth = data.input().truth(example);
  if (owner_.features_->outputs_are_orders() && truth.known()) {
    return each_order(truth, limit, visit);
  }
  PredictedRange range{0, data.rows(example)};
  if (truth.known()) {
    const Contingency rows = count_outcomes(truth, truth);
    range = owner_.predicted_range(rows.positive, rows.negative);
  }
  return each_labelling(data.rows(example), range, limit, visit);
}

}  // namespace contingency
