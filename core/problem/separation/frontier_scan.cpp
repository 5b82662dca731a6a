#include "problem/separation/frontier_scan.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {

namespace {

// Number of entries of a slice between two polls.
constexpr std::size_t poll_interval = std::size_t{1} << 20;

// Two violations that differ by less than this count as equal, in addition to the rounding of
// scores. Otherwise rounding would decide between counts, or a slice would be computed that cannot
// improve the result.
double negligible_part(double violation) {
  return std::isfinite(violation) ? 1e-11 * std::abs(violation) : 0;
}

}  // namespace

FrontierMaximum FrontierScan::run(int worker, const sculpt_query& query, double truth_score,
                                  double known_violation, double rounding,
                                  const ScoreDifferenceBound& score_bound,
                                  const ThrowIfStopped& poll) {
  const Frontier::Shape& shape = oracle_.begin_frontier(worker, query);
  FrontierMaximum maximum;
  maximum.no_output = shape.has_flag(SCULPT_ANSWER_NO_OUTPUT);
  maximum.truth_outside = shape.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (maximum.no_output) return maximum;
  maximum.violation = maximum.high =
      maximum.truth_outside ? known_violation : std::max(known_violation, 0.0);
  maximum.largest = -infinity;
  loss_.resize(static_cast<std::size_t>(shape.size[1]));
  for (std::int64_t first = 0; first < shape.size[0]; ++first) {
    const Bound bound = bound_of_slice(worker, query, first, score_bound, poll);
    const double slice_rounding =
        factor(bound.loss) * (rounding + score_bound.rounding_at(bound.loss));
    if (bound.violation <=
        maximum.violation + negligible_part(maximum.violation) + slice_rounding) {
      maximum.raise_high(bound.violation, slice_rounding);
      maximum.complete = false;
      continue;
    }
    oracle_.frontier_slice(worker, first, score_);
    for (std::size_t k = 0; k < score_.size(); ++k) {
      if (score_[k] == -infinity) continue;
      const double entry_violation = violation(loss_[k], score_[k] - truth_score);
      maximum.largest = std::max(maximum.largest, entry_violation);
      const double negligible = negligible_part(maximum.violation);
      if (!(entry_violation > maximum.violation - negligible)) continue;
      const double entry_rounding = factor(loss_[k]) * rounding;
      maximum.raise_high(entry_violation, entry_rounding);
      if (!(entry_violation > maximum.violation + negligible + entry_rounding)) continue;
      maximum.counts = Counts{first, static_cast<std::int64_t>(k)};
      maximum.score = score_[k];
      maximum.loss = loss_[k];
      maximum.violation = entry_violation;
    }
  }
  return maximum;
}

// Returns the largest possible violation in a slice. Also sets loss_ to the losses of the slice.
FrontierScan::Bound FrontierScan::bound_of_slice(int worker, const sculpt_query& query,
                                                 std::int64_t first,
                                                 const ScoreDifferenceBound& score_bound,
                                                 const ThrowIfStopped& poll) {
  CountLoss& loss = oracle_.count_loss();
  Bound bound{-infinity, 0};
  for (std::size_t k = 0; k < loss_.size(); ++k) {
    if (k % poll_interval == 0) poll();
    loss_[k] =
        loss.value(worker, query.example, query.truth, Counts{first, static_cast<std::int64_t>(k)});
    const double max_violation = violation(loss_[k], score_bound.at(loss_[k]));
    if (max_violation > bound.violation) bound = {max_violation, loss_[k]};
  }
  return bound;
}

// Like Formulation::violation(), but `score_difference` may be infinite.
double FrontierScan::violation(double loss, double score_difference) const {
  return factor(loss) == 0 ? 0 : formulation_.violation(loss, score_difference);
}

}  // namespace sculpt::core
