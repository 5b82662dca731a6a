#include "solver/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sculpt::core {

Progress::Progress(const SolverOptions& options, const Separator& separator, Listener& listener,
                   const StopRequest& stop, WorkingSet& working_set, Sweeps& sweeps)
    : options_(options),
      separator_(separator),
      listener_(listener),
      working_set_(working_set),
      sweeps_(sweeps),
      stopping_(options.stop, stop),
      certificate_(separator),
      example_count_(separator.example_count()) {}

Pass Progress::begin_pass(bool at_one_w) {
  found = {};
  found.at_one_w = at_one_w;
  return {static_cast<std::uint64_t>(passes_ + 1),
          [this] { return stopping_.interrupted().has_value(); }};
}

void Progress::end_pass() {
  last_pass_ = found;
  ++passes_;
}

void Progress::certify(const PrimalBounds& primal) {
  const double dual = working_set_.dual();
  found.gap = (std::isfinite(primal.high) ? primal.high : primal.low) - dual;
  certificate_.update(working_set_.w(), primal, dual, working_set_.scale());
  all_asked_ = true;
  report(primal);
}

void Progress::report(const PrimalBounds& primal) const {
  PassReport report;
  report.pass = passes_;
  report.oracle_calls = oracle_calls_;
  report.planes = working_set_.plane_count();
  report.active_planes = working_set_.active_count();
  report.primal_low = primal.low;
  report.primal_high = primal.high;
  report.best_primal = certificate_.primal();
  report.dual = certificate_.dual();
  report.gap = certificate_.gap();
  report.relative_gap = certificate_.relative_gap();
  report.certified = certificate_.certified();
  report.mean_slack = primal.mean_slack;
  report.oracle_seconds = oracle_seconds_;
  report.qp_seconds = qp_seconds_;
  report.elapsed_seconds = stopping_.elapsed_seconds();
  listener_.pass_done(report);
}

std::optional<StoppedBy> Progress::target() const {
  if (stopping_.gap_reached(certificate_)) return StoppedBy::relative_gap;
  const auto& epsilon = stopping_.epsilon();
  // P - D <= C epsilon follows when the QP is solved; until then it must be seen.
  if (epsilon && found.excess <= *epsilon &&
      (qp_is_exact_ || found.gap <= options_.formulation.C * *epsilon)) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

std::optional<StoppedBy> Progress::limit(bool ahead) const {
  return ahead ? stopping_.limit(passes_ + 1, oracle_calls_ + example_count_)
               : stopping_.limit(passes_, oracle_calls_);
}

bool Progress::solve_qp(double most_sweeps) {
  const QpEnd end = climb(most_sweeps);
  qp_is_exact_ = found.new_planes == 0 && (end == QpEnd::tolerance || end == QpEnd::rounding);
  certificate_.raise_dual(working_set_.dual(), working_set_.scale());
  return end != QpEnd::interrupted;
}

QpEnd Progress::climb(double most_sweeps) {
  const Timed timed(qp_seconds_);
  const bool nothing_new = found.new_planes == 0;
  // The part of the pass's gap that no plane of the working set accounts for: it will stay.
  const double unexplained = std::max(0.0, found.gap - sweeps_.restricted_gap());
  QpRequest request;
  request.tolerance = nothing_new ? 0 : options_.qp_fraction * found.gap;
  request.max_sweeps = most_sweeps;
  request.stop = [this] { return stopping_.interrupted().has_value(); };
  for (;;) {
    const double gap_before = sweeps_.restricted_gap();
    const double dual_before = working_set_.dual();
    const QpEnd end = sweeps_.solve(request);
    if (end != QpEnd::work || !nothing_new || !found.at_one_w) return end;
    const double gap = sweeps_.restricted_gap();
    if (stopping_.gap_would_do(gap + unexplained, working_set_.dual(), options_.formulation.C))
      return end;
    if (gap >= gap_before && working_set_.dual() <= dual_before) return QpEnd::rounding;
  }
}

Result Progress::interrupted() {
  return finish(stopping_.interrupted().value_or(StoppedBy::signal));
}

// Stopped in batches before all were asked at one w: what is worth keeping is the working set's w,
// and what is known of it are the planes of the working set.
void Progress::settle() {
  if (all_asked_ || working_set_.plane_count() == 0) return;
  sweeps_.evaluate();
  certificate_.update(working_set_.w(),
                      bound_primal(working_set_.squared_norm(), options_.formulation.C,
                                   sweeps_.mean_slack(), std::numeric_limits<double>::infinity()),
                      working_set_.dual(), working_set_.scale());
}

Result Progress::finish(StoppedBy rule) {
  settle();
  Result result;
  result.w = certificate_.w();
  result.primal = certificate_.primal();
  result.primal_low = certificate_.primal_low();
  if (certificate_.certified()) result.primal_high = certificate_.primal_high();
  result.dual = certificate_.dual();
  result.gap = certificate_.gap();
  result.relative_gap = certificate_.relative_gap();
  result.certified = certificate_.certified();
  result.doubt = result.certified ? Doubt::none
                 : all_asked_     ? Doubt::no_upper_bound
                                  : Doubt::not_asked;
  result.reached =
      result.certified && (rule == StoppedBy::relative_gap || rule == StoppedBy::epsilon);
  result.stopped_by = rule;
  result.passes = passes_;
  result.oracle_calls = oracle_calls_;
  result.planes = working_set_.plane_count();
  result.active_planes = working_set_.active_count();
  result.no_output = last_pass_.no_output;
  result.truth_outside = last_pass_.truth_outside;
  result.oracle_seconds = oracle_seconds_;
  result.qp_seconds = qp_seconds_;
  result.elapsed_seconds = stopping_.elapsed_seconds();
  return result;
}

}  // namespace sculpt::core
