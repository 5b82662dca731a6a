#include "set_loss.hpp"

#include <algorithm>

namespace contingency {

double SetLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  data().check(example, guess);
  Contingency counted = count(truth, guess);
  const PredictedRange range = taken(counted);
  const std::int64_t asked = std::clamp(counted.predicted, range.least, range.most);
  if (asked == counted.predicted) return value(counted);
  // Uses the first rows in the output's order; tied rows count in part. The count may then be
  // between two integers, and the loss is linear between these.
  const double found = sculpt::found_among_first(asked, tied_rows(truth, guess));
  counted.predicted = asked;
  counted.matched = static_cast<std::int64_t>(found);
  const double below = value(counted);
  const double share = found - static_cast<double>(counted.matched);
  if (share == 0) return below;
  ++counted.matched;
  return below + share * (value(counted) - below);
}

double SetLoss::loss_of_counts(std::int64_t example, sculpt::Labels truth,
                               std::span<const std::int64_t> counted) const {
  Contingency of_truth = counted_truth(example, truth);
  of_truth.matched = std::min(counted[0], of_truth.positive);
  of_truth.predicted = std::max(counted[1], of_truth.matched);
  return value(of_truth);
}

}  // namespace contingency
