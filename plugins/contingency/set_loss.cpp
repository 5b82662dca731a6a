#include "set_loss.hpp"

#include <algorithm>

namespace contingency {

double SetLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  data().check(example, guess);
  Contingency outcomes = count_outcomes(truth, guess);
  const PredictedRange range = predicted_range(outcomes);
  const std::int64_t predicted = std::clamp(outcomes.predicted, range.min, range.max);
  if (predicted == outcomes.predicted) return value(outcomes);
  // Uses the first rows in the output's order; tied rows count in part. The count may then be
  // between two integers, and the loss is linear between these.
  const double matched = sculpt::found_among_first(predicted, tied_rows(truth, guess));
  outcomes.predicted = predicted;
  outcomes.matched = static_cast<std::int64_t>(matched);
  const double below = value(outcomes);
  const double share = matched - static_cast<double>(outcomes.matched);
  if (share == 0) return below;
  ++outcomes.matched;
  return below + share * (value(outcomes) - below);
}

double SetLoss::loss_of_counts(std::int64_t example, sculpt::Labels truth,
                               std::span<const std::int64_t> counted) const {
  Contingency outcomes = truth_outcomes(example, truth);
  outcomes.matched = std::min(counted[0], outcomes.positive);
  outcomes.predicted = std::max(counted[1], outcomes.matched);
  return value(outcomes);
}

}  // namespace contingency
