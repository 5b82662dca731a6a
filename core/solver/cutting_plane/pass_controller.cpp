#include "solver/cutting_plane/pass_controller.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/products.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// A run ends after this many certificates in a row without progress. Progress: the gap falls by a
// tenth, or D rises by more than what may be its rounding.
constexpr int max_stalled_certificates = 20;
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
  min_useful_violation_ = compute_min_useful_violation();
  findings = {};
  findings.dual_at_begin = working_set_.dual();
  findings.at_one_w = at_one_w;
  has_optimized_new_planes_ = !at_one_w;
  if (at_one_w) update_place();
  return next_pass();
}

Pass PassController::begin_pass_at(Vector place) {
  min_useful_violation_ = compute_min_useful_violation();
  findings = {};
  findings.dual_at_begin = working_set_.dual();
  has_optimized_new_planes_ = false;
  place_is_w_ = false;
  place_is_given_ = true;
  place_ = std::move(place);
  place_squared_norm_ = squared_norm(place_);
  return next_pass();
}

// The violation beyond its slack from which a plane is useful. None: all oracles must be asked. The
// factor 1/2: if all slacks miss by half of the target, the gap is half of the target.
std::optional<double> PassController::compute_min_useful_violation() const {
  if (!source_.escalates() || limit_after_next_pass()) return std::nullopt;
  if (passes() == 0) return 0;
  if (findings.new_planes == 0) return std::nullopt;
  if (stall_counter_.count() >= max_stalled_certificates) return std::nullopt;
  const double epsilon = stop_rules().epsilon().value_or(0);
  if (options_.formulation.hard_margin()) return epsilon / 2;
  const double primal = std::abs(working_set_.dual() + findings.gap);
  if (findings.gap <= stop_rules().relative_gap() * primal) return std::nullopt;
  return 0.5 * std::max(epsilon, stop_rules().relative_gap() * primal / options_.formulation.C);
}

void PassController::skip_costlier_oracles(Pass& pass, std::function<double(std::int64_t)> slack) {
  if (!min_useful_violation_) return;
  findings.skips_oracles = true;
  const double min_violation = *min_useful_violation_;
  pass.stop_escalating_above = [slack = std::move(slack), min_violation](std::int64_t example) {
    return slack(example) + min_violation;
  };
}

void PassController::end_pass() {
  last_pass_ = findings;
  count_pass();
}

WeightView PassController::place() const {
  return place_is_w_ ? working_set_.w() : place_;
}

// The columns outside of which the place is 0; empty: not known.
std::span<const std::int32_t> PassController::columns_of_place() const {
  const bool is_sum = place_is_w_ || !place_is_given_;  // of planes in the working set
  const ColumnsInUse& columns = working_set_.columns();
  return is_sum && columns.are_few() ? columns.list() : std::span<const std::int32_t>();
}

// Moves the place to where the QP was evaluated, or beyond.
void PassController::update_place() {
  const SparseVector* const newton = qp_solver_.newton_place();
  const double squared =
      newton == nullptr ? working_set_.squared_norm() : core::squared_norm(*newton);
  const double factor = place_factor(squared);
  place_squared_norm_ = factor * factor * squared;
  place_is_w_ = newton == nullptr && factor == 1;
  if (place_is_w_) return;
  const ColumnsInUse& columns = working_set_.columns();
  if (place_is_given_) place_.clear();
  place_is_given_ = false;
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
double PassController::place_factor(double squared_norm) const {
  const double factor = qp_solver_.weight_scale();
  const bool is_satisfied = std::isfinite(qp_solver_.restricted_gap());
  if (!working_set_.slack_term().is_forbidden() || !is_satisfied) return factor;
  const double part = 0.5 * std::min(1.0, stop_rules().relative_gap());
  const double max_primal = working_set_.dual() / (1 - part);
  if (0.5 * factor * factor * squared_norm >= max_primal) return factor;
  return std::sqrt(2 * max_primal / squared_norm);
}

void PassController::count_answers(std::span<const Separation> answers) {
  for (const Separation& answer : answers) findings.answers.count(answer);
}

void PassController::find_violated(std::int64_t block, const Separation& answer, double slack,
                                   Vector& zeros, std::vector<WorkingSet::NewPlane>& out) const {
  out.clear();
  if (answer.no_output) return;
  const auto add_if_new = [&](const Plane& plane, double low, std::uint64_t output) {
    if (!stop_rules().is_violated(plane.b, low, slack, answer.rounding)) return;
    auto new_plane = working_set_.make_plane(block, plane.a, plane.b, output, zeros, out);
    if (new_plane) out.push_back(*std::move(new_plane));
  };
  add_if_new(answer.plane, answer.low, answer.output);
  for (const NextBestPlane& next : answer.next_best) add_if_new(next.plane, next.low, next.output);
}

void PassController::add(std::int64_t block, WorkingSet::NewPlane plane) {
  working_set_.add(block, std::move(plane));
  ++findings.new_planes;
}

bool PassController::add_if_violated(std::int64_t block, const Separation& answer, double slack) {
  const auto& [a, b] = answer.plane;
  if (answer.no_output) return false;
  if (!stop_rules().is_violated(b, answer.low, slack, answer.rounding)) return false;
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
  const double tolerance = std::max(satisfied_tolerance * working_set_.largest_b(), rounding);
  return formulation.hard_margin() && slack <= tolerance ? 0 : formulation.slack_cost(slack);
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
  // P is infinite here, and so would be the gap. Use P of the longer w that would satisfy all
  // planes found.
  if (options_.formulation.hard_margin() && !std::isfinite(value)) {
    value = (0.5 + findings.shortfall) * place_squared_norm_;
  }
  findings.gap = value - dual;
  certificate_.update(place(), primal, dual, working_set_.dual_magnitude(), findings.skips_oracles,
                      columns_of_place());
  stall_counter_.update(certificate_.dual(), min_rise * working_set_.dual_magnitude(),
                        certificate_.gap());
  has_asked_all_ = true;
  report(primal);
}

// The slack of the planes in the working set. Nothing is known of others.
MeanSlack PassController::known_mean_slack() const {
  MeanSlack mean;
  for (const double slack : qp_solver_.slack()) {
    mean.low += cost(slack);
    mean.slack += slack;
  }
  const auto n = static_cast<double>(qp_solver_.slack().size());
  return {mean.low / n, infinity, mean.slack / n};
}

void PassController::report_batches() {
  update_place();
  report(bound_primal(options_.formulation, place_squared_norm_, known_mean_slack()));
}

// Without the planes that the current pass at one w has added, which no QP has used.
std::int64_t PassController::optimized_plane_count() const {
  return working_set_.plane_count() - (has_optimized_new_planes_ ? 0 : findings.new_planes);
}

void PassController::report(const PrimalBounds& primal) {
  record_report();
  PassReport report;
  report.planes = optimized_plane_count();
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
  fill_answer_counts(source_, findings.answers, report);
  fill(report);
  const InPhase phase(clock(), &TimeSplit::writing);
  listener_.pass_done(report);
}

// 1 / (||w|| ||a||), for the shortest w that D allows and the longest plane.
double PassController::margin_bound() const {
  const bool has_bound = working_set_.slack_term().is_forbidden() && certificate_.dual() > 0;
  if (!has_bound) return infinity;
  return 1 /
         (std::sqrt(2 * certificate_.dual()) * working_set_.largest_norm_after_column_scaling());
}

std::optional<StoppedBy> PassController::reached_target() const {
  if (findings.skips_oracles && !certificate_.certified()) return std::nullopt;
  if (stop_rules().has_reached_gap(certificate_)) return StoppedBy::relative_gap;
  const auto& epsilon = stop_rules().epsilon();
  // The gap that corresponds to epsilon is reached only with a solved QP. Until then it must be
  // measured.
  if (epsilon && findings.excess <= *epsilon && (qp_is_exact_ || findings.gap <= epsilon_gap())) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

std::optional<StoppedBy> PassController::limit_after_pass() const {
  if (findings.skips_oracles && !certificate_.certified()) return std::nullopt;
  return reached_limit();
}

bool PassController::is_exhausted() const {
  if (findings.skips_oracles) return false;
  return (findings.new_planes == 0 && qp_is_exact_) ||
         stall_counter_.count() >= max_stalled_certificates;
}

// The largest P - D if the slack of every block is epsilon too small for a solved QP.
double PassController::epsilon_gap() const {
  const SlackTerm& term = working_set_.slack_term();
  const double epsilon = stop_rules().epsilon().value_or(0);
  if (term.is_forbidden()) return term.cost_increase(0, epsilon);
  return static_cast<double>(working_set_.block_count()) *
         term.cost_increase(qp_solver_.mean_slack(), epsilon);
}

// Also reports the last pass in batches, if its QP was interrupted.
Result PassController::finish_interrupted() {
  if (passes() > reported_passes()) report_batches();
  return finish(stop_rules().interruption().value_or(StoppedBy::signal));
}

// For a run that stopped in batches, before all examples were asked at one w. The result is the w
// of the working set, and its planes are all that is known of P.
void PassController::certify_working_set() {
  if (has_asked_all_ || working_set_.plane_count() == 0) return;
  qp_solver_.evaluate();
  update_place();
  certificate_.update(place(),
                      bound_primal(options_.formulation, place_squared_norm_, known_mean_slack()),
                      working_set_.dual(), working_set_.dual_magnitude());
}

UncertifiedReason PassController::uncertified_reason() const {
  if (certificate_.certified()) return UncertifiedReason::none;
  if (!has_asked_all_) return UncertifiedReason::not_asked;
  return std::isfinite(certificate_.primal()) ? UncertifiedReason::no_upper_bound
                                              : UncertifiedReason::violated;
}

// Frees some hundred thousand pieces of memory, so its time counts as reduction.
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
  result.w = working_set_.release_w();
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
  result.planes = optimized_plane_count();
  result.active_planes = working_set_.active_count();
  result.answers = last_pass_.answers;
  free_planes();
  fill(result);
  return result;
}

}  // namespace sculpt::core
