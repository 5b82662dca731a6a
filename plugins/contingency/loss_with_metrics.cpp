#include "loss_with_metrics.hpp"

#include <algorithm>

namespace contingency {

namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Measures of the first `count` rows of the order.
struct FirstRows {
  std::int64_t count;
  LossWithMetrics::Metric precision;
  LossWithMetrics::Metric recall;
};

// Returns the worst output: every row has the wrong class, and the negative rows come first.
std::vector<std::int32_t> worst_output(sculpt::Labels truth) {
  std::vector<std::int32_t> y(truth.size());
  std::transform(truth.begin(), truth.end(), y.begin(),
                 [](std::int32_t positive) { return 1 - positive; });
  return y;
}

}  // namespace

void LossWithMetrics::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                                  std::span<double> sums) const {
  if (!guess.known()) {  // counts as entirely wrong
    const std::vector<std::int32_t> worst = worst_output(truth);
    return add_metrics(example, truth, sculpt::Labels(worst), sums);
  }
  data_.check(example, guess);
  const Contingency c = count_outcomes(truth, guess);
  const std::vector<sculpt::TiedRows> order = tied_rows(truth, guess);
  const std::int64_t missed = c.positive - c.matched;
  const std::int64_t wrong = c.predicted - c.matched;
  const auto add = [&](Metric metric, double value) { sculpt::add_to_mean(sums, metric, value); };
  if (c.rows() > 0) add(Metric::error, ratio(missed + wrong, c.rows()));
  if (c.positive > 0 && c.negative > 0) {
    add(Metric::balanced_error, (ratio(missed, c.positive) + ratio(wrong, c.negative)) / 2);
    add(Metric::roc_area, roc_area(order));
  }
  if (c.positive + c.predicted > 0) {
    add(Metric::f1, ratio(2 * c.matched, c.positive + c.predicted));
  }
  if (c.predicted > 0) add(Metric::precision, ratio(c.matched, c.predicted));
  if (c.positive > 0) {
    const auto positive = static_cast<double>(c.positive);
    add(Metric::recall, ratio(c.matched, c.positive));
    add(Metric::break_even, sculpt::found_among_first(c.positive, order) / positive);
    add(Metric::average_precision, sculpt::average_precision(order));
  }
  for (const FirstRows& first : {FirstRows{10, Metric::precision_10, Metric::recall_10},
                                 FirstRows{100, Metric::precision_100, Metric::recall_100}}) {
    if (c.rows() < first.count) continue;
    const double found = sculpt::found_among_first(first.count, order);
    add(first.precision, found / static_cast<double>(first.count));
    if (c.positive > 0) add(first.recall, found / static_cast<double>(c.positive));
  }
}

}  // namespace contingency
