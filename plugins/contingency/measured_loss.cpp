#include "measured_loss.hpp"

namespace contingency {

namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// One measure of a set, at its place among the sums.
void add(std::span<double> sums, std::size_t measure, double value) {
  sums[2 * measure] += value;
  sums[2 * measure + 1] += 1;
}

}  // namespace

void MeasuredLoss::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                               std::span<double> sums) const {
  data_.check(example, guess);
  const Contingency c = count(truth, guess);
  const std::vector<sculpt::TiedRows> order = tied_rows(truth, guess);
  const std::int64_t missed = c.positive - c.matched;
  const std::int64_t wrong = c.predicted - c.matched;
  add(sums, 0, ratio(missed + wrong, c.rows()));
  if (c.positive > 0 && c.negative > 0) {
    add(sums, 1, (ratio(missed, c.positive) + ratio(wrong, c.negative)) / 2);
    add(sums, 6, roc_area(order));
  }
  if (c.positive + c.predicted > 0) add(sums, 2, ratio(2 * c.matched, c.positive + c.predicted));
  if (c.predicted > 0) add(sums, 3, ratio(c.matched, c.predicted));
  if (c.positive > 0) {
    add(sums, 4, ratio(c.matched, c.positive));
    add(sums, 5, found_among_first(c.positive, order) / static_cast<double>(c.positive));
    add(sums, 7, sculpt::average_precision(order));
  }
  std::size_t measure = 8;
  for (const std::int64_t k : {std::int64_t{10}, std::int64_t{100}}) {
    const double found = found_among_first(k, order);
    if (c.rows() >= k) add(sums, measure, found / static_cast<double>(k));
    if (c.rows() >= k && c.positive > 0) {
      add(sums, measure + 1, found / static_cast<double>(c.positive));
    }
    measure += 2;
  }
}

void MeasuredLoss::finish_metrics(std::span<const double> sums, std::span<double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = sums[2 * k + 1] > 0 ? sums[2 * k] / sums[2 * k + 1]
                                    : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace contingency
