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
double little_of(double violation) {
  return std::isfinite(violation) ? 1e-11 * std::abs(violation) : 0;
}

}  // namespace

FrontierMaximum FrontierScan::run(int worker, const sculpt_query& query, double truth_score,
                                  double floor, double rounding,
                                  const ScoreDifferenceBound& ceiling, const ThrowIfStopped& poll) {
  const Frontier::Shape& shape = oracle_.begin_frontier(worker, query);
  FrontierMaximum found;
  found.no_output = shape.has(SCULPT_ANSWER_NO_OUTPUT);
  found.truth_outside = shape.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (found.no_output) return found;
  found.violation = found.high = found.truth_outside ? floor : std::max(floor, 0.0);
  found.largest = -infinity;
  loss_.resize(static_cast<std::size_t>(shape.size[1]));
  for (std::int64_t first = 0; first < shape.size[0]; ++first) {
    const Bound bound = bound_of_slice(worker, query, first, ceiling, poll);
    const double noise = factor(bound.loss) * (rounding + ceiling.rounding_at(bound.loss));
    if (bound.violation <= found.violation + little_of(found.violation) + noise) {
      found.raise_high(bound.violation, noise);
      found.complete = false;
      continue;
    }
    oracle_.frontier_slice(worker, first, score_);
    for (std::size_t k = 0; k < score_.size(); ++k) {
      if (score_[k] == -infinity) continue;
      const double here = violation(loss_[k], score_[k] - truth_score);
      found.largest = std::max(found.largest, here);
      const double little = little_of(found.violation);
      if (!(here > found.violation - little)) continue;
      const double own_noise = factor(loss_[k]) * rounding;
      found.raise_high(here, own_noise);
      if (!(here > found.violation + little + own_noise)) continue;
      found.counts = Counts{first, static_cast<std::int64_t>(k)};
      found.score = score_[k];
      found.loss = loss_[k];
      found.violation = here;
    }
  }
  return found;
}

// Returns the largest possible violation in a slice. Also sets loss_ to the losses of the slice.
FrontierScan::Bound FrontierScan::bound_of_slice(int worker, const sculpt_query& query,
                                                 std::int64_t first,
                                                 const ScoreDifferenceBound& ceiling,
                                                 const ThrowIfStopped& poll) {
  CountLoss& loss = oracle_.count_loss();
  Bound bound{-infinity, 0};
  for (std::size_t k = 0; k < loss_.size(); ++k) {
    if (k % poll_interval == 0) poll();
    loss_[k] =
        loss.value(worker, query.example, query.truth, Counts{first, static_cast<std::int64_t>(k)});
    const double most = violation(loss_[k], ceiling.at(loss_[k]));
    if (most > bound.violation) bound = {most, loss_[k]};
  }
  return bound;
}

// Like Formulation::violation(), but `lead` may be infinite.
double FrontierScan::violation(double loss, double lead) const {
  return factor(loss) == 0 ? 0 : formulation_.violation(loss, lead);
}

}  // namespace sculpt::core
