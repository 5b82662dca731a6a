#include "solver/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/products.hpp"
#include "qp/plane_limit.hpp"

namespace sculpt::core {
namespace {

// The part of the dual to which a QP over the planes of an earlier run is solved: under another C
// most of the gap is that of planes which are still missing, and the first pass brings them.
constexpr double first_qp_part = 0.03;

// Work bound, in scorings of the working set, of what is solved beyond a part of the gap found.
// Measured on the OCR letters, all formulations: of 3 to 100 the least time.
constexpr double sweeps_beyond_gap = 10;

// A gain of D below this part of its terms.
constexpr double rounding = 1e-15;

// Certificates in a row, none better than the one before them by more than a tenth of the gap or by
// what may be the rounding of D, before a run is given up.
constexpr int patience = 20;
constexpr double least_rise = 1e-14;

}  // namespace

Progress::Progress(const SolverOptions& options, const Separator& separator, Listener& listener,
                   const StopRequest& stop, WorkingSet& working_set, Sweeps& sweeps)
    : Tally(options.stop, separator, stop),
      options_(options),
      listener_(listener),
      working_set_(working_set),
      sweeps_(sweeps),
      certificate_(separator) {}

Pass Progress::begin_pass(bool at_one_w) {
  found = {};
  found.at_one_w = at_one_w;
  new_planes_optimized_ = !at_one_w;
  if (at_one_w) move_place();
  return next_pass();
}

Pass Progress::begin_pass_at(Vector place) {
  found = {};
  new_planes_optimized_ = false;
  place_ = std::move(place);
  place_squared_norm_ = squared_norm(place_);
  return next_pass();
}

void Progress::end_pass() {
  last_pass_ = found;
  count_pass();
}

const Vector& Progress::place() const {
  return place_.empty() ? working_set_.w() : place_;
}

// To where the sweeps were evaluated, or beyond.
void Progress::move_place() {
  const double factor = stretch();
  place_squared_norm_ = factor * factor * working_set_.squared_norm();
  if (working_set_.slack_term().is_linear()) return place_.clear();
  place_ = working_set_.w();
  for (double& value : place_) value *= factor;
}

// Under hard margin a place that satisfies the working set is stretched to where half of the
// target's gap is spent: planes missed by little are satisfied there.
double Progress::stretch() const {
  const double factor = sweeps_.stretch();
  const bool satisfied = std::isfinite(sweeps_.restricted_gap());
  if (!working_set_.slack_term().is_forbidden() || !satisfied) return factor;
  const double part = 0.5 * std::min(1.0, stopping().relative_gap());
  const double affordable = working_set_.dual() / (1 - part);
  if (0.5 * factor * factor * working_set_.squared_norm() >= affordable) return factor;
  return std::sqrt(2 * affordable / working_set_.squared_norm());
}

void Progress::note_answers(std::span<const Separation> answers) {
  for (const Separation& answer : answers) {
    found.no_output += answer.no_output ? 1 : 0;
    found.truth_outside += answer.truth_outside ? 1 : 0;
  }
}

std::optional<WorkingSet::NewPlane> Progress::plane_if_violated(std::int64_t block,
                                                                const Separation& answer,
                                                                double slack, Vector& zeros) const {
  const auto& [a, b] = answer.plane;
  if (answer.no_output || !stopping().violated(b, answer.low, slack)) return std::nullopt;
  return working_set_.make_plane(block, a, b, answer.output, zeros);
}

void Progress::add(std::int64_t block, WorkingSet::NewPlane plane) {
  working_set_.add(block, std::move(plane));
  ++found.new_planes;
}

bool Progress::add_if_violated(std::int64_t block, const Separation& answer, double slack) {
  auto plane = plane_if_violated(block, answer, slack, working_set_.scratch());
  if (!plane) return false;
  add(block, *std::move(plane));
  return true;
}

double Progress::size_of_b(std::int64_t block, const Separation& answer) const {
  const std::vector<double>& b = working_set_.block(block).b;
  return std::max(std::abs(answer.plane.b), *std::max_element(b.begin(), b.end()));
}

double Progress::cost(double slack) const {
  const Formulation& formulation = options_.formulation;
  const bool rounding =
      formulation.hard_margin() && slack <= satisfied_within * working_set_.largest_b();
  return rounding ? 0 : formulation.slack_cost(slack);
}

void Progress::certify(const MeanSlack& mean) {
  const PrimalBounds primal = bound_primal(options_.formulation, place_squared_norm_, mean);
  const double dual = working_set_.dual();
  double value = std::isfinite(primal.high) ? primal.high : primal.low;
  // Infinite says nothing of how far the place is from one that satisfies all: the longer one that
  // would satisfy what was found does.
  if (options_.formulation.hard_margin() && !std::isfinite(value)) {
    value = (0.5 + found.shortfall) * place_squared_norm_;
  }
  found.gap = value - dual;
  certificate_.update(place(), primal, dual, working_set_.scale());
  unmoved_.after(certificate_.dual(), least_rise * working_set_.scale(), certificate_.gap());
  all_asked_ = true;
  report(primal);
}

// Of the planes in the working set; nothing is known of others.
MeanSlack Progress::seen_slack() const {
  MeanSlack mean;
  for (const double slack : sweeps_.slack()) {
    mean.low += cost(slack);
    mean.slack += slack;
  }
  const auto n = static_cast<double>(sweeps_.slack().size());
  return {mean.low / n, std::numeric_limits<double>::infinity(), mean.slack / n};
}

void Progress::report_batches() {
  move_place();
  report(bound_primal(options_.formulation, place_squared_norm_, seen_slack()));
}

// Without those that the frozen pass under way has added and no QP has seen.
std::int64_t Progress::planes_optimized() const {
  return working_set_.plane_count() - (new_planes_optimized_ ? 0 : found.new_planes);
}

void Progress::report(const PrimalBounds& primal) {
  note_report();
  PassReport report;
  report.pass = passes();
  report.oracle_calls = oracle_calls();
  report.planes = planes_optimized();
  report.active_planes = working_set_.active_count();
  report.primal_low = primal.low;
  report.primal_high = primal.high;
  report.best_primal = certificate_.primal();
  report.dual = certificate_.dual();
  report.gap = certificate_.gap();
  report.relative_gap = certificate_.relative_gap();
  report.certified = certificate_.certified();
  report.mean_slack = primal.mean_slack;
  report.separation = separation();
  report.times = clock().split();
  report.elapsed_seconds = stopping().elapsed_seconds();
  const InPhase phase(clock(), &TimeSplit::writing);
  listener_.pass_done(report);
}

// 1 / (||w|| largest ||a||) of the shortest w that D allows.
double Progress::separation() const {
  const double norm = std::sqrt(2 * certificate_.dual() * working_set_.largest_squared_norm());
  const bool bounded = working_set_.slack_term().is_forbidden() && norm > 0;
  return bounded ? 1 / norm : std::numeric_limits<double>::infinity();
}

std::optional<StoppedBy> Progress::target() const {
  if (stopping().gap_reached(certificate_)) return StoppedBy::relative_gap;
  const auto& epsilon = stopping().epsilon();
  // The gap that epsilon stands for follows when the QP is solved; until then it must be seen.
  if (epsilon && found.excess <= *epsilon && (qp_is_exact_ || found.gap <= epsilon_gap())) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

bool Progress::exhausted() const {
  return (found.new_planes == 0 && qp_is_exact_) || unmoved_.times() >= patience;
}

// What P - D is at most when every block's slack is epsilon too small for a solved QP.
double Progress::epsilon_gap() const {
  const SlackTerm& term = working_set_.slack_term();
  const double epsilon = stopping().epsilon().value_or(0);
  if (term.is_forbidden()) return term.rise(0, epsilon);
  return static_cast<double>(working_set_.block_count()) * term.rise(sweeps_.mean_slack(), epsilon);
}

QpEnd Progress::solve_qp(double most_sweeps, const std::function<void()>& poll) {
  QpRequest request = qp_request(most_sweeps);
  request.clock = &clock();
  request.stop = [this, &poll] {
    poll();
    return stopping().interrupted().has_value();
  };
  const QpEnd end = climb(request);
  new_planes_optimized_ = true;
  const bool to_rounding = request.tolerance == 0 && request.part_of_dual == 0;
  qp_is_exact_ =
      found.new_planes == 0 && (end == QpEnd::rounding || (end == QpEnd::tolerance && to_rounding));
  certificate_.raise_dual(working_set_.dual(), working_set_.scale());
  return end;
}

QpEnd Progress::solve_first_qp(double most_sweeps) {
  const InPhase phase(clock(), &TimeSplit::qp);
  QpRequest request;
  request.clock = &clock();
  request.max_sweeps = most_sweeps;
  request.separation_floor = options_.separation_floor;
  request.stop = [this] { return stopping().interrupted().has_value(); };
  const double part = std::max(first_qp_part, options_.qp_fraction * stopping().relative_gap());
  if (working_set_.slack_term().is_forbidden()) {
    request.part_of_dual = part;
  } else {
    request.tolerance = part * working_set_.dual();
  }
  const QpEnd end = sweeps_.solve(request);
  qp_is_exact_ = end == QpEnd::rounding;
  return end;
}

void Progress::take_stock(std::size_t most_idle) {
  const InPhase phase(clock(), &TimeSplit::sweeps);
  const double dual_before = working_set_.dual();
  const double gap_before = sweeps_.restricted_gap();
  sweeps_.evaluate();
  new_planes_optimized_ = true;
  const bool stands_still = working_set_.dual() - dual_before <= rounding * working_set_.scale() &&
                            sweeps_.restricted_gap() >= gap_before;
  qp_is_exact_ = found.at_one_w && found.new_planes == 0 && stands_still;
  certificate_.raise_dual(working_set_.dual(), working_set_.scale());
  working_set_.age();
  working_set_.drop_idle_beyond(most_idle);
  keep_within_limit();
}

void Progress::reduce() {
  const InPhase phase(clock(), &TimeSplit::reduction);
  working_set_.age();
  constexpr std::int64_t oldest = std::int64_t{1} << 30;
  if (options_.drop_after > 0) {
    working_set_.drop_older(static_cast<std::int32_t>(std::min(options_.drop_after, oldest)));
  }
  keep_within_limit();
}

// Requires the ages of the QP or the steps before.
void Progress::keep_within_limit() {
  if (!options_.max_planes_megabytes) return;
  const std::int64_t active = working_set_.active_count();
  keep_within(working_set_, static_cast<std::size_t>(*options_.max_planes_megabytes * 1e6));
  // The sum of merged planes has another rounding, which a run that is resumed would have.
  if (working_set_.active_count() < active) sweeps_.evaluate();
}

// The part of the pass's gap that no plane of the working set accounts for: it will stay.
double Progress::unexplained_gap() const {
  return std::max(0.0, found.gap - sweeps_.restricted_gap());
}

// After new planes: qp_fraction of the gap found, which under hard margin is an estimate and serves
// as a part of the dual, which the new planes will raise. Without new planes half of what the
// target allows, or qp_fraction of the QP's own gap: the last digits are dear, and the oracle finds
// more at the better place.
QpRequest Progress::qp_request(double most_sweeps) const {
  QpRequest request;
  request.max_sweeps = most_sweeps;
  request.separation_floor = options_.separation_floor;
  const double dual = working_set_.dual();
  const SlackTerm& term = working_set_.slack_term();
  if (found.new_planes == 0) {
    const double allowed =
        0.5 * std::min(1.0, stopping().relative_gap()) * dual - unexplained_gap();
    if (allowed <= 0) return request;
    const double gap = std::min(sweeps_.restricted_gap(), dual);
    request.tolerance = std::max(allowed, options_.qp_fraction * gap);
  } else if (term.is_forbidden()) {
    request.part_of_dual = options_.qp_fraction * (dual > 0 ? found.gap / dual : 2);
  } else {
    request.tolerance = options_.qp_fraction * found.gap;
  }
  return request;
}

// The gap of early passes is far larger than the dual, so that qp_fraction of it asks for hardly
// anything. Then qp_fraction of the dual, as long as that is cheap: it spares passes.
QpEnd Progress::climb_further(const QpRequest& request) {
  QpRequest further = request;
  further.tolerance = options_.qp_fraction * working_set_.dual();
  further.max_sweeps = sweeps_beyond_gap;
  const QpEnd end = sweeps_.solve(further);
  return end == QpEnd::work ? QpEnd::tolerance : end;
}

QpEnd Progress::climb(const QpRequest& request) {
  const InPhase phase(clock(), &TimeSplit::qp);
  const bool nothing_new = found.new_planes == 0;
  const bool is_forbidden = working_set_.slack_term().is_forbidden();
  const double unexplained = unexplained_gap();
  for (;;) {
    const double gap_before = sweeps_.restricted_gap();
    const double dual_before = working_set_.dual();
    const QpEnd end = sweeps_.solve(request);
    const bool is_early = !nothing_new && !is_forbidden && working_set_.dual() < found.gap;
    if (end == QpEnd::tolerance && is_early) return climb_further(request);
    if (end != QpEnd::work || !nothing_new || !found.at_one_w) return end;
    const double gap = sweeps_.restricted_gap();
    if (stopping().gap_would_do(gap + unexplained, working_set_.dual(), epsilon_gap())) return end;
    const bool better = gap < gap_before || working_set_.dual() > dual_before;  // NaN is not
    if (!better) return QpEnd::rounding;
  }
}

Result Progress::interrupted() {
  return finish(stopping().interrupted().value_or(StoppedBy::signal));
}

// Stopped in batches before all were asked at one w: what is worth keeping is the working set's w,
// and what is known of it are the planes of the working set.
void Progress::settle() {
  if (all_asked_ || working_set_.plane_count() == 0) return;
  sweeps_.evaluate();
  move_place();
  certificate_.update(place(),
                      bound_primal(options_.formulation, place_squared_norm_, seen_slack()),
                      working_set_.dual(), working_set_.scale());
}

Doubt Progress::doubt() const {
  if (certificate_.certified()) return Doubt::none;
  if (!all_asked_) return Doubt::not_asked;
  return std::isfinite(certificate_.primal()) ? Doubt::no_upper_bound : Doubt::violated;
}

// Some hundred thousand pieces of memory: its time shall be counted.
void Progress::free_planes() {
  const InPhase phase(clock(), &TimeSplit::reduction);
  working_set_.free_planes();
}

Result Progress::finish(StoppedBy rule) {
  settle();
  Result result;
  result.w = working_set_.take_w();
  certificate_.restore_w(result.w);
  result.primal = certificate_.primal();
  result.primal_low = certificate_.primal_low();
  if (certificate_.certified()) result.primal_high = certificate_.primal_high();
  result.dual = certificate_.dual();
  result.gap = certificate_.gap();
  result.relative_gap = certificate_.relative_gap();
  result.certified = certificate_.certified();
  result.doubt = doubt();
  result.reached = has_reached(rule, result.certified);
  result.stopped_by = rule;
  result.passes = passes();
  result.oracle_calls = oracle_calls();
  result.planes = planes_optimized();
  result.active_planes = working_set_.active_count();
  result.no_output = last_pass_.no_output;
  result.truth_outside = last_pass_.truth_outside;
  free_planes();
  result.times = clock().split();
  result.elapsed_seconds = stopping().elapsed_seconds();
  return result;
}

}  // namespace sculpt::core
