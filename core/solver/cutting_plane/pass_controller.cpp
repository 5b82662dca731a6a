#include "solver/cutting_plane/pass_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/products.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// A run ends after this many certificates in a row without progress. Progress: the gap falls by a
// tenth, or D rises by more than what may be its rounding.
constexpr int patience = 20;
constexpr double min_rise = 1e-14;

}  // namespace

PassController::PassController(const SolverOptions& options, const PlaneSource& source,
                               Listener& listener, const StopRequest& stop, WorkingSet& working_set,
                               QpSolver& qp_solver)
    : RunCounters(options.stop, source, stop),
      options_(options),
      source_(source),
      listener_(listener),
      working_set_(working_set),
      qp_solver_(qp_solver),
      certificate_(source) {}

Pass PassController::begin_pass(bool at_one_w) {
  min_useful_violation_ = min_useful_violation();
  found = {};
  found.dual_before = working_set_.dual();
  found.at_one_w = at_one_w;
  new_planes_optimized_ = !at_one_w;
  if (at_one_w) move_place();
  return next_pass();
}

Pass PassController::begin_pass_at(Vector place) {
  min_useful_violation_ = min_useful_violation();
  found = {};
  found.dual_before = working_set_.dual();
  new_planes_optimized_ = false;
  is_at_w_ = false;
  is_given_ = true;
  place_ = std::move(place);
  place_squared_norm_ = squared_norm(place_);
  return next_pass();
}

// The violation beyond its slack from which a plane is useful. None: all oracles must be asked. The
// factor 1/2: if all slacks miss by half of the target, the gap is half of the target.
std::optional<double> PassController::min_useful_violation() const {
  if (!source_.escalates() || limit(true)) return std::nullopt;
  if (passes() == 0) return 0;
  if (found.new_planes == 0 || stall_counter_.times() >= patience) return std::nullopt;
  const double epsilon = stopping().epsilon().value_or(0);
  if (options_.formulation.hard_margin()) return epsilon / 2;
  const double primal = std::abs(working_set_.dual() + found.gap);
  if (found.gap <= stopping().relative_gap() * primal) return std::nullopt;
  return 0.5 * std::max(epsilon, stopping().relative_gap() * primal / options_.formulation.C);
}

void PassController::skip_costlier_oracles(Pass& pass, std::function<double(std::int64_t)> slack) {
  if (!min_useful_violation_) return;
  found.skips_oracles = true;
  pass.stop_escalating_above = [slack = std::move(slack), worth = *min_useful_violation_](
                                   std::int64_t example) { return slack(example) + worth; };
}

void PassController::end_pass() {
  last_pass_ = found;
  count_pass();
}

WeightView PassController::place() const {
  return is_at_w_ ? working_set_.w() : place_;
}

// The columns outside of which the place is 0; empty: not known.
std::span<const std::int32_t> PassController::columns_of_place() const {
  const bool is_sum = is_at_w_ || !is_given_;  // of planes that are there
  const ColumnsInUse& columns = working_set_.columns();
  return is_sum && columns.are_few() ? columns.list() : std::span<const std::int32_t>();
}

// Moves the place to where the QP was evaluated, or beyond.
void PassController::move_place() {
  const SparseVector* const newton = qp_solver_.newton_place();
  const double squared =
      newton == nullptr ? working_set_.squared_norm() : core::squared_norm(*newton);
  const double factor = weight_scale(squared);
  place_squared_norm_ = factor * factor * squared;
  is_at_w_ = newton == nullptr && factor == 1;
  if (is_at_w_) return;
  const ColumnsInUse& columns = working_set_.columns();
  if (is_given_) place_.clear();
  is_given_ = false;
  place_.resize(working_set_.w().dense().size(), 0.0);
  if (newton == nullptr) {
    columns.copy(working_set_.w().dense(), place_);
  } else {
    columns.clear(place_);
    axpy(1, *newton, place_);
  }
  columns.scale(factor, place_);
}

// Hard margin: a place that satisfies the working set is scaled until half of the target's gap is
// used. This satisfies planes that were violated a little.
double PassController::weight_scale(double squared_norm) const {
  const double factor = qp_solver_.weight_scale();
  const bool satisfied = std::isfinite(qp_solver_.restricted_gap());
  if (!working_set_.slack_term().is_forbidden() || !satisfied) return factor;
  const double part = 0.5 * std::min(1.0, stopping().relative_gap());
  const double affordable = working_set_.dual() / (1 - part);
  if (0.5 * factor * factor * squared_norm >= affordable) return factor;
  return std::sqrt(2 * affordable / squared_norm);
}

void PassController::note_answers(std::span<const Separation> answers) {
  for (const Separation& answer : answers) found.answers.count(answer);
}

void PassController::find_violated(std::int64_t block, const Separation& answer, double slack,
                                   Vector& zeros, std::vector<WorkingSet::NewPlane>& out) const {
  out.clear();
  if (answer.no_output) return;
  const auto look_at = [&](const Plane& plane, double low, std::uint64_t output) {
    if (!stopping().violated(plane.b, low, slack, answer.rounding)) return;
    auto made = working_set_.make_plane(block, plane.a, plane.b, output, zeros, out);
    if (made) out.push_back(*std::move(made));
  };
  look_at(answer.plane, answer.low, answer.output);
  for (const NextBestPlane& one : answer.further) look_at(one.plane, one.low, one.output);
}

void PassController::add(std::int64_t block, WorkingSet::NewPlane plane) {
  working_set_.add(block, std::move(plane));
  ++found.new_planes;
}

bool PassController::add_if_violated(std::int64_t block, const Separation& answer, double slack) {
  const auto& [a, b] = answer.plane;
  if (answer.no_output || !stopping().violated(b, answer.low, slack, answer.rounding)) return false;
  auto plane = working_set_.make_plane(block, a, b, answer.output, working_set_.scratch());
  if (!plane) return false;
  add(block, *std::move(plane));
  return true;
}

double PassController::magnitude_of_b(std::int64_t block, const Separation& answer) const {
  const std::vector<double>& b = working_set_.block(block).b;
  return std::max(std::abs(answer.plane.b), *std::max_element(b.begin(), b.end()));
}

double PassController::cost(double slack, double rounding) const {
  const Formulation& formulation = options_.formulation;
  const double satisfied = std::max(satisfied_within * working_set_.largest_b(), rounding);
  return formulation.hard_margin() && slack <= satisfied ? 0 : formulation.slack_cost(slack);
}

void PassController::add_cost(const SlackBounds& slack, double rounding, MeanSlack& sum) const {
  sum.low += cost(slack.low, rounding);
  sum.high += cost(slack.high, rounding);
  sum.slack += slack.low;
  sum.rounding += rounding_of_cost(options_.formulation, slack.high, rounding);
}

void PassController::certify(const MeanSlack& mean) {
  PrimalBounds primal = bound_primal(options_.formulation, place_squared_norm_, mean);
  if (options_.formulation.hard_margin()) {
    const double rounding = mean.rounding * static_cast<double>(example_count());
    primal.rounding =
        rounding_of_hard_margin(place_squared_norm_, rounding, working_set_.largest_b());
  }
  const double dual = working_set_.dual();
  double value = std::isfinite(primal.high) ? primal.high : primal.low;
  // P is infinite here, which is useless as a gap. Use P of the longer w that would satisfy all
  // planes found.
  if (options_.formulation.hard_margin() && !std::isfinite(value)) {
    value = (0.5 + found.shortfall) * place_squared_norm_;
  }
  found.gap = value - dual;
  certificate_.update(place(), primal, dual, working_set_.scale(), found.skips_oracles,
                      columns_of_place());
  stall_counter_.after(certificate_.dual(), min_rise * working_set_.scale(), certificate_.gap());
  all_asked_ = true;
  report(primal);
}

// The slack of the planes in the working set. Nothing is known of others.
MeanSlack PassController::seen_slack() const {
  MeanSlack mean;
  for (const double slack : qp_solver_.slack()) {
    mean.low += cost(slack);
    mean.slack += slack;
  }
  const auto n = static_cast<double>(qp_solver_.slack().size());
  return {mean.low / n, std::numeric_limits<double>::infinity(), mean.slack / n};
}

void PassController::report_batches() {
  move_place();
  report(bound_primal(options_.formulation, place_squared_norm_, seen_slack()));
}

// Without the planes that the current pass at one w has added, which no QP has used.
std::int64_t PassController::planes_optimized() const {
  return working_set_.plane_count() - (new_planes_optimized_ ? 0 : found.new_planes);
}

void PassController::report(const PrimalBounds& primal) {
  note_report();
  PassReport report;
  report.planes = planes_optimized();
  report.active_planes = working_set_.active_count();
  report.primal_low = primal.low;
  report.primal_high = primal.high;
  report.best_primal = certificate_.primal();
  report.primal_kind = bound_kind_of(certificate_.primal_low(), certificate_.primal_high());
  report.dual = certificate_.dual();
  report.gap = certificate_.gap();
  report.relative_gap = certificate_.relative_gap();
  report.certified = certificate_.certified();
  report.mean_slack = primal.mean_slack;
  report.margin_bound = margin_bound();
  fill_answer_counts(source_, found.answers, report);
  fill(report);
  const InPhase phase(clock(), &TimeSplit::writing);
  listener_.pass_done(report);
}

// 1 / (||w|| ||a||), for the shortest w that D allows and the longest plane.
double PassController::margin_bound() const {
  const bool bounded = working_set_.slack_term().is_forbidden() && certificate_.dual() > 0;
  if (!bounded) return std::numeric_limits<double>::infinity();
  return 1 / (std::sqrt(2 * certificate_.dual()) * working_set_.longest_after_column_scaling());
}

std::optional<StoppedBy> PassController::target() const {
  if (found.skips_oracles && !certificate_.certified()) return std::nullopt;
  if (stopping().gap_reached(certificate_)) return StoppedBy::relative_gap;
  const auto& epsilon = stopping().epsilon();
  // The gap that corresponds to epsilon is reached only with a solved QP. Until then it must be
  // measured.
  if (epsilon && found.excess <= *epsilon && (qp_is_exact_ || found.gap <= epsilon_gap())) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

std::optional<StoppedBy> PassController::limit_after_pass() const {
  if (found.skips_oracles && !certificate_.certified()) return std::nullopt;
  return limit();
}

bool PassController::exhausted() const {
  if (found.skips_oracles) return false;
  return (found.new_planes == 0 && qp_is_exact_) || stall_counter_.times() >= patience;
}

// The largest P - D if the slack of every block is epsilon too small for a solved QP.
double PassController::epsilon_gap() const {
  const SlackTerm& term = working_set_.slack_term();
  const double epsilon = stopping().epsilon().value_or(0);
  if (term.is_forbidden()) return term.rise(0, epsilon);
  return static_cast<double>(working_set_.block_count()) *
         term.rise(qp_solver_.mean_slack(), epsilon);
}

// Also reports the last pass in batches, if its QP was interrupted.
Result PassController::interrupted() {
  if (passes() > reported()) report_batches();
  return finish(stopping().interrupted().value_or(StoppedBy::signal));
}

// For a run that stopped in batches, before all examples were asked at one w. The result is the w
// of the working set, and its planes are all that is known of P.
void PassController::certify_working_set() {
  if (all_asked_ || working_set_.plane_count() == 0) return;
  qp_solver_.evaluate();
  move_place();
  certificate_.update(place(),
                      bound_primal(options_.formulation, place_squared_norm_, seen_slack()),
                      working_set_.dual(), working_set_.scale());
}

UncertifiedReason PassController::uncertified_reason() const {
  if (certificate_.certified()) return UncertifiedReason::none;
  if (!all_asked_) return UncertifiedReason::not_asked;
  return std::isfinite(certificate_.primal()) ? UncertifiedReason::no_upper_bound
                                              : UncertifiedReason::violated;
}

// Frees some hundred thousand pieces of memory, so its time is counted.
void PassController::free_planes() {
  const InPhase phase(clock(), &TimeSplit::reduction);
  working_set_.free_planes();
}

bool PassController::stopped_with_violated_margins(StoppedBy rule) const {
  return rule == StoppedBy::oracle_exhausted && working_set_.slack_term().is_forbidden() &&
         uncertified_reason() == UncertifiedReason::violated;
}

Result PassController::finish(StoppedBy rule) {
  certify_working_set();
  Result result;
  result.w = working_set_.take_w();
  certificate_.restore_w(result.w);
  result.primal = certificate_.primal();
  result.primal_low = certificate_.primal_low();
  if (certificate_.certified()) result.primal_high = certificate_.primal_high();
  result.dual = certificate_.dual();
  result.gap = certificate_.gap();
  result.relative_gap = certificate_.relative_gap();
  result.rounding = certificate_.rounding();
  result.restricted_gap = qp_solver_.restricted_gap();
  result.certified = certificate_.certified();
  result.uncertified_reason = uncertified_reason();
  result.reached = has_reached(rule, result.certified);
  result.stopped_by = rule;
  if (gap_cause_of(result) == GapCause::steps) result.stopped_by = StoppedBy::standstill;
  result.planes = planes_optimized();
  result.active_planes = working_set_.active_count();
  result.answers = last_pass_.answers;
  free_planes();
  fill(result);
  return result;
}

}  // namespace sculpt::core
