#include "problem/frontier_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sculpt::core {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Entries of a slice between two polls.
constexpr std::size_t poll_interval = std::size_t{1} << 20;

// Violations that differ by less are equal: the rounding of scores must not decide which of two
// counts is taken, nor have a slice computed that can at best repeat what is there.
double rounding_of(double violation) {
  return std::isfinite(violation) ? 1e-11 * (1 + std::abs(violation)) : 0;
}

}  // namespace

FrontierMaximum FrontierScan::run(int worker, const sculpt_query& query, double truth_score,
                                  double floor, const LeadCeiling& ceiling, const StopPoll& poll) {
  const Frontier::Shape& shape = oracle_.begin_frontier(worker, query);
  FrontierMaximum found;
  found.no_output = shape.has(SCULPT_ANSWER_NO_OUTPUT);
  found.truth_outside = shape.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (found.no_output) return found;
  found.violation = found.high = found.truth_outside ? floor : std::max(floor, 0.0);
  found.largest = -infinity;
  loss_.resize(static_cast<std::size_t>(shape.size[1]));
  for (std::int64_t first = 0; first < shape.size[0]; ++first) {
    const double bound = bound_of_slice(worker, query, first, ceiling, poll);
    if (bound <= found.violation + rounding_of(found.violation)) {
      found.high = std::max(found.high, bound);
      found.complete = false;
      continue;
    }
    oracle_.frontier_slice(worker, first, score_);
    for (std::size_t k = 0; k < score_.size(); ++k) {
      if (score_[k] == -infinity) continue;
      const double here = violation(loss_[k], score_[k] - truth_score);
      found.largest = std::max(found.largest, here);
      if (!(here > found.violation + rounding_of(found.violation))) continue;
      found.counts = Counts{first, static_cast<std::int64_t>(k)};
      found.score = score_[k];
      found.loss = loss_[k];
      found.violation = here;
    }
  }
  found.high = std::max(found.high, found.largest);
  return found;
}

// Also sets loss_ to the losses of the slice.
double FrontierScan::bound_of_slice(int worker, const sculpt_query& query, std::int64_t first,
                                    const LeadCeiling& ceiling, const StopPoll& poll) {
  CountLoss& loss = oracle_.count_loss();
  double bound = -infinity;
  for (std::size_t k = 0; k < loss_.size(); ++k) {
    if (k % poll_interval == 0) poll();
    loss_[k] =
        loss.value(worker, query.example, query.truth, Counts{first, static_cast<std::int64_t>(k)});
    bound = std::max(bound, violation(loss_[k], ceiling.at(loss_[k])));
  }
  return bound;
}

// Of a lead that may be infinite.
double FrontierScan::violation(double loss, double lead) const {
  return formulation_.plane_of(loss).factor == 0 ? 0 : formulation_.violation(loss, lead);
}

}  // namespace sculpt::core
