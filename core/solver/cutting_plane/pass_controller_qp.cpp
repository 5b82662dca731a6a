// pass_controller_qp.cpp - how far the QP is solved between two passes, and what is dropped after
// it.

#include <algorithm>
#include <cmath>

#include "qp/stall_counter.hpp"
#include "qp/working_set/plane_limit.hpp"
#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {
namespace {

// The fraction of the dual to which a QP over the planes of a warm start is solved. Under another C
// most of the gap comes from planes that are still missing. The first pass finds them.
constexpr double first_qp_fraction = 0.03;

// Work limit of solve_to_dual_fraction(), in scorings of the working set. Of the values 3 to 100 it
// took the least time on the OCR letters, in all formulations.
constexpr double sweeps_beyond_gap = 10;

// The fraction of the gap by which D must rise before idle planes are dropped again.
constexpr double min_rise_for_drop = 0.01;

// Without new planes the QP goes on while it progresses: D rises by this fraction of the gap
// within this many solves, or the gap falls to StallCounter::fall_factor. Otherwise it would take
// forever.
constexpr double min_rise_to_go_on = 0.01;
constexpr int max_stalled_solves = 3;

// A gain of D below this fraction of its terms is rounding.
constexpr double rounding_of_gain = 1e-15;

}  // namespace

QpEnd PassController::solve_qp(double max_sweeps, const std::function<void()>& poll) {
  QpRequest request = qp_request(max_sweeps);
  request.clock = &clock();
  request.stop = [this, &poll] {
    poll();
    return stop_rules().interruption().has_value();
  };
  const QpEnd end = solve_until_useful(request);
  has_optimized_new_planes_ = true;
  const bool solves_to_rounding = request.tolerance == 0 && request.fraction_of_dual == 0;
  const bool is_exact = end == QpEnd::rounding || (end == QpEnd::tolerance && solves_to_rounding);
  qp_is_exact_ = findings.new_planes == 0 && is_exact;
  certificate_.raise_dual(proved_dual(), working_set_.dual_magnitude());
  return end;
}

void PassController::make_exact() {
  const ScopedPhase phase(clock(), &PhaseTimes::qp);
  working_set_.make_exact();
  qp_solver_.evaluate();
  certificate_.reset();
  certificate_.raise_dual(proved_dual(), working_set_.dual_magnitude());
}

QpEnd PassController::solve_first_qp(double max_sweeps) {
  const ScopedPhase phase(clock(), &PhaseTimes::qp);
  QpRequest request;
  request.clock = &clock();
  request.max_sweeps = max_sweeps;
  request.separation_floor = options_.separation_floor;
  request.stop = [this] { return stop_rules().interruption().has_value(); };
  const double fraction =
      std::max(first_qp_fraction, options_.qp_fraction * stop_rules().relative_gap());
  if (working_set_.slack_term().is_forbidden()) {
    request.fraction_of_dual = fraction;
  } else {
    request.tolerance = fraction * working_set_.dual();
  }
  const QpEnd end = qp_solver_.solve(request);
  qp_is_exact_ = end == QpEnd::rounding;
  return end;
}

bool PassController::evaluate_and_drop(std::size_t max_idle, bool did_fully_corrective_step) {
  const ScopedPhase phase(clock(), &PhaseTimes::sweeps);
  const double previous_dual = working_set_.dual();
  const double previous_gap = qp_solver_.restricted_gap();
  const bool was_restored = qp_solver_.evaluate();
  has_optimized_new_planes_ = true;
  const bool is_stalled =
      working_set_.dual() - previous_dual <= rounding_of_gain * working_set_.dual_magnitude() &&
      qp_solver_.restricted_gap() >= previous_gap;
  // If a QP was solved after the steps, it has set this already.
  if (!did_fully_corrective_step) {
    qp_is_exact_ = findings.at_one_w && findings.new_planes == 0 && is_stalled;
  }
  certificate_.raise_dual(working_set_.dual(), working_set_.dual_magnitude());
  working_set_.age();
  const double rise = working_set_.dual() - dual_at_drop_;
  if (rise > min_rise_for_drop * findings.gap) {
    working_set_.keep_idle_at_most(max_idle);
    dual_at_drop_ = working_set_.dual();
  }
  drop_beyond_limit();
  return was_restored;
}

void PassController::reduce_working_set() {
  const ScopedPhase phase(clock(), &PhaseTimes::reduction);
  working_set_.age();
  constexpr std::int64_t max_age = std::int64_t{1} << 30;
  if (options_.drop_after > 0) {
    working_set_.drop_from_age(static_cast<std::int32_t>(std::min(options_.drop_after, max_age)));
  }
  drop_beyond_limit();
}

// Requires the ages after the last QP or the last steps.
void PassController::drop_beyond_limit() {
  if (!options_.max_planes_megabytes) return;
  const std::int64_t previous_active = working_set_.active_count();
  limit_plane_bytes(working_set_, static_cast<std::size_t>(*options_.max_planes_megabytes * 1e6));
  // The sum of merged planes rounds differently. A resumed run would compute that sum.
  if (working_set_.active_count() < previous_active) qp_solver_.evaluate();
}

double PassController::epsilon_gap() const {
  const SlackTerm& term = working_set_.slack_term();
  const double epsilon = stop_rules().epsilon().value_or(0);
  if (term.is_forbidden()) return term.cost_increase(0, epsilon);
  if (block_weights_.empty()) {
    return static_cast<double>(working_set_.block_count()) *
           term.cost_increase(qp_solver_.mean_slack(), epsilon);
  }
  double gap = 0;
  for (std::size_t i = 0; i < block_weights_.size(); ++i) {
    gap += term.cost_increase(qp_solver_.slack()[i], block_weights_[i] * epsilon);
  }
  return gap;
}

double PassController::unexplained_gap() const {
  return std::max(0.0, findings.gap - qp_solver_.restricted_gap());
}

// After new planes the limit is qp_fraction of the gap found. Under hard margin that gap is an
// estimate and becomes a fraction of the dual, which the new planes will raise. Without new planes
// it is half of what the target allows, or qp_fraction of the QP's own gap. The last digits cost
// much work, and the oracle finds more at the better query point.
QpRequest PassController::qp_request(double max_sweeps) const {
  QpRequest request;
  request.max_sweeps = max_sweeps;
  request.separation_floor = options_.separation_floor;
  const double dual = working_set_.dual();
  const SlackTerm& term = working_set_.slack_term();
  if (findings.new_planes == 0) {
    const double allowed =
        0.5 * std::min(1.0, stop_rules().relative_gap()) * dual - unexplained_gap();
    if (allowed <= 0) return request;
    const double gap = std::min({qp_solver_.restricted_gap(), findings.gap, dual});
    request.tolerance = std::max(allowed, options_.qp_fraction * gap);
  } else if (term.is_forbidden()) {
    request.fraction_of_dual = options_.qp_fraction * (dual > 0 ? findings.gap / dual : 2);
  } else {
    request.tolerance = options_.qp_fraction * findings.gap;
  }
  return request;
}

// The gap of early passes is far larger than the dual, so qp_fraction of it demands hardly
// anything. Then the limit is qp_fraction of the dual, as long as that is cheap: it saves passes.
QpEnd PassController::solve_to_dual_fraction(const QpRequest& request) {
  QpRequest dual_request = request;
  dual_request.tolerance = options_.qp_fraction * working_set_.dual();
  dual_request.max_sweeps = sweeps_beyond_gap;
  dual_request.is_trial = true;
  const QpEnd end = qp_solver_.solve(dual_request);
  return end == QpEnd::work ? QpEnd::tolerance : end;
}

// Solves the QP, again and again after a pass at one w without new planes: until a target would be
// reached, or until D and the gap stall.
QpEnd PassController::solve_until_useful(const QpRequest& request) {
  const ScopedPhase phase(clock(), &PhaseTimes::qp);
  const bool has_no_new_planes = findings.new_planes == 0;
  const bool is_forbidden = working_set_.slack_term().is_forbidden();
  const double unexplained = unexplained_gap();
  StallCounter stall_counter;
  for (;;) {
    const QpEnd end = qp_solver_.solve(request);
    const bool is_early = !has_no_new_planes && !is_forbidden && working_set_.dual() < findings.gap;
    if (end == QpEnd::tolerance && is_early) return solve_to_dual_fraction(request);
    if (end != QpEnd::work || !has_no_new_planes || !findings.at_one_w) return end;
    const double gap = qp_solver_.restricted_gap();
    if (stop_rules().would_reach_target(gap + unexplained, working_set_.dual(), epsilon_gap())) {
      return end;
    }
    const double gap_to_close = std::isfinite(gap) ? gap : working_set_.dual();
    const int stalled_solves =
        stall_counter.update(working_set_.dual(), min_rise_to_go_on * gap_to_close, gap);
    if (stalled_solves >= max_stalled_solves) return QpEnd::rounding;
  }
}

}  // namespace sculpt::core
