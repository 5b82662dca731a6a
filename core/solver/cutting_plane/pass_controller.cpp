#include "solver/cutting_plane/pass_controller.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// A run ends after this many certificates in a row without progress. Progress: the gap falls by a
// tenth, or D rises by more than what may be its rounding.
constexpr int max_stalled_certificates = 20;
constexpr double min_rise = 1e-14;

// Sampled planes bound nothing. For a PassReport or a Result.
template <class Report>
void clear_dual(Report& report) {
  report.dual = no_value;
  report.gap = report.relative_gap = infinity;
  report.certified = false;
}

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

void PassController::weigh_blocks() {
  for (const double weight : source_.example_weights()) {
    block_weights_.push_back(options_.formulation.plane_weight(weight));
  }
}

void PassController::record_violation(std::int64_t block, double beyond_slack) {
  const double weight = block_weight(block);
  if (weight == 0) return;
  findings.violation_beyond_slack =
      std::max(findings.violation_beyond_slack, beyond_slack / weight);
}

Pass PassController::begin_pass(bool at_one_w) {
  if (at_one_w && has_start_point()) {
    return begin_pass_at(*std::exchange(start_point_, std::nullopt));
  }
  min_useful_violation_ = compute_min_useful_violation();
  findings = {};
  findings.dual_at_begin = working_set_.dual();
  findings.at_one_w = at_one_w;
  has_optimized_new_planes_ = !at_one_w;
  if (at_one_w) update_query_point();
  return next_pass();
}

Pass PassController::begin_pass_at(Vector w) {
  min_useful_violation_ = compute_min_useful_violation();
  findings = {};
  findings.dual_at_begin = working_set_.dual();
  has_optimized_new_planes_ = false;
  query_point_is_w_ = false;
  query_point_is_given_ = true;
  if (InnerProduct* const inner_product = working_set_.inner_product()) {
    model_at_query_point_ = std::move(w);
    query_point_.assign(model_at_query_point_.size(), 0.0);
    inner_product->add_product(entries_of(model_at_query_point_), InnerProduct::Columns::all,
                               query_point_);
    query_point_squared_norm_ = dot(model_at_query_point_, query_point_);
  } else {
    query_point_ = std::move(w);
    query_point_squared_norm_ = squared_norm(query_point_);
  }
  return next_pass();
}

// The factor 1/2: if all slacks miss by half of the target, the gap is half of the target.
std::optional<PassController::UsefulViolation> PassController::compute_min_useful_violation()
    const {
  if (!source_.escalates() || limit_after_next_pass()) return std::nullopt;
  if (passes() == 0) return UsefulViolation();
  if (findings.new_planes == 0) return std::nullopt;
  if (stall_counter_.count() >= max_stalled_certificates) return std::nullopt;
  const double of_examples = 0.5 * stop_rules().epsilon().value_or(0);
  if (options_.formulation.is_hard_margin()) return UsefulViolation{0, of_examples};
  const double primal = std::abs(working_set_.dual() + findings.gap);
  if (findings.gap <= stop_rules().relative_gap() * primal) return std::nullopt;
  return UsefulViolation{0.5 * (stop_rules().relative_gap() * primal / options_.formulation.C),
                         of_examples};
}

void PassController::skip_costlier_oracles(Pass& pass, std::function<double(std::int64_t)> slack) {
  if (!min_useful_violation_) return;
  findings.skips_oracles = true;
  pass.stop_escalating_above = [this, slack = std::move(slack),
                                useful = *min_useful_violation_](std::int64_t example) {
    const double of_planes = useful.of_examples * block_weight(example);
    return slack(example) + std::max(useful.of_planes, of_planes);
  };
}

void PassController::end_pass() {
  last_pass_ = findings;
  count_pass();
}

WeightView PassController::query_point() const {
  return query_point_is_w_ ? working_set_.complete_w() : query_point_;
}

WeightView PassController::model_at_query_point() const {
  if (working_set_.inner_product() == nullptr) return query_point();
  return query_point_is_w_ ? working_set_.model_vector() : model_at_query_point_;
}

std::span<const std::int32_t> PassController::columns_of_query_point() const {
  const bool is_sum = query_point_is_w_ || !query_point_is_given_;  // of planes in the working set
  const ColumnsInUse& columns = working_set_.columns();
  return is_sum && columns.has_few() ? columns.list() : std::span<const std::int32_t>();
}

void PassController::update_query_point() {
  const SparseVector* const newton = qp_solver_.newton_point();
  const double squared =
      newton == nullptr ? working_set_.squared_norm() : core::squared_norm(*newton);
  const double factor = query_point_factor(squared);
  query_point_squared_norm_ = factor * factor * squared;
  query_point_is_w_ = newton == nullptr && factor == 1;
  if (query_point_is_w_) return;
  const ColumnsInUse& columns = working_set_.columns();
  if (query_point_is_given_) query_point_.clear();
  query_point_is_given_ = false;
  if (working_set_.inner_product() != nullptr) return scale_query_point(factor);
  query_point_.resize(working_set_.w().dense().size(), 0.0);
  if (newton == nullptr) {
    columns.copy(working_set_.w().dense(), query_point_);
  } else {
    columns.clear(query_point_);
    axpy(1, *newton, query_point_);
  }
  columns.scale(factor, query_point_);
}

// The query point factor w, which is 0 nowhere, and its model factor v.
void PassController::scale_query_point(double factor) {
  query_point_ = working_set_.complete_w().dense();
  model_at_query_point_ = working_set_.model_vector();
  for (Vector* const vector : {&query_point_, &model_at_query_point_}) {
    for (double& value : *vector) value *= factor;
  }
}

// Hard margin: a query point that satisfies the working set is made longer. P may then exceed D by
// half of the relative gap allowed. This satisfies planes that were violated a little. With
// fraction = half the relative gap allowed, w -> s w with
//
//   s = sqrt(2 D / (1 - fraction)) / ||w||
double PassController::query_point_factor(double squared_norm) const {
  const double factor = qp_solver_.weight_scale();
  const bool is_satisfied = std::isfinite(qp_solver_.restricted_gap());
  if (!working_set_.slack_term().is_forbidden() || !is_satisfied) return factor;
  const double fraction = 0.5 * std::min(1.0, stop_rules().relative_gap());
  const double max_primal = working_set_.dual() / (1 - fraction);
  if (0.5 * factor * factor * squared_norm >= max_primal) return factor;
  return std::sqrt(2 * max_primal / squared_norm);
}

void PassController::count_answers(std::span<const Separation> answers) {
  for (const Separation& answer : answers) findings.answers.add(answer);
}

void PassController::find_violated(std::int64_t block, const Separation& answer, double slack,
                                   Vector& zeros, std::vector<WorkingSet::NewPlane>& out) const {
  out.clear();
  if (answer.no_output) return;
  const auto add_if_new = [&](const Plane& plane, double low, std::uint64_t key) {
    if (!stop_rules().is_violated(plane.b, low, slack, answer.rounding, block_weight(block)))
      return;
    auto new_plane = working_set_.make_plane(block, plane.a, plane.b, key, zeros, out);
    if (new_plane) out.push_back(*std::move(new_plane));
  };
  add_if_new(answer.plane, answer.low, answer.output_hash);
  for (const NextBestPlane& next : answer.next_best) {
    add_if_new(next.plane, next.low, next.output_hash);
  }
}

void PassController::add(std::int64_t block, WorkingSet::NewPlane plane) {
  working_set_.add(block, std::move(plane));
  ++findings.new_planes;
}

bool PassController::add_if_violated(std::int64_t block, const Separation& answer, double slack) {
  const auto& [a, b] = answer.plane;
  if (answer.no_output) return false;
  if (!stop_rules().is_violated(b, answer.low, slack, answer.rounding, block_weight(block))) {
    return false;
  }
  auto plane = working_set_.make_plane(block, a, b, answer.output_hash, working_set_.scratch());
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
  return formulation.is_hard_margin() && slack <= tolerance ? 0 : formulation.slack_cost(slack);
}

void PassController::add_cost(std::int64_t example, const SlackBounds& slack, double rounding,
                              MeanSlack& sum) const {
  sum.low += cost(slack.low, rounding);
  sum.high += cost(slack.high, rounding);
  sum.slack += options_.formulation.weighted_slack(slack.low, source_.example_weight(example));
  sum.rounding += rounding_of_cost(options_.formulation, slack.high, rounding);
}

void PassController::certify(const MeanSlack& mean) {
  PrimalBounds primal = bound_primal(options_.formulation, query_point_squared_norm_, mean);
  if (options_.formulation.is_hard_margin()) {
    const double rounding = mean.rounding * static_cast<double>(example_count());
    primal.rounding =
        rounding_of_hard_margin(query_point_squared_norm_, rounding, working_set_.largest_b());
  }
  if (!source_.is_convex()) primal.high = infinity;
  const double dual = proved_dual();
  double value = std::isfinite(primal.high) ? primal.high : primal.low;
  // P is infinite here, and so would be the gap. With m the missing_margin_fraction, w / (1 - m)
  // satisfies all planes found. Its P is 1/2 ||w||^2 / (1 - m)^2, about (1/2 + m) ||w||^2.
  if (options_.formulation.is_hard_margin() && !std::isfinite(value)) {
    value = (0.5 + findings.missing_margin_fraction) * query_point_squared_norm_;
  }
  findings.gap = value - dual;
  certificate_.update(model_at_query_point(), primal, dual, working_set_.dual_magnitude(),
                      findings.skips_oracles, columns_of_query_point());
  stall_counter_.update(certificate_.dual(), min_rise * working_set_.dual_magnitude(),
                        certificate_.gap());
  has_asked_all_ = true;
  report(primal);
}

MeanSlack PassController::known_mean_slack() const {
  MeanSlack mean;
  const std::vector<double>& slacks = qp_solver_.slack();
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    mean.low += cost(slacks[i]);
    mean.slack += block_weights_.empty() ? slacks[i]
                                         : options_.formulation.weighted_slack(
                                               slacks[i], source_.example_weights()[i]);
  }
  const auto n = static_cast<double>(slacks.size());
  return {mean.low / n, infinity, mean.slack / n};
}

void PassController::report_batches() {
  update_query_point();
  if (options_.samples_cuts) return report({infinity, infinity, qp_solver_.mean_slack()});
  report(bound_primal(options_.formulation, query_point_squared_norm_, known_mean_slack()));
}

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
  if (options_.samples_cuts) clear_dual(report);
  fill_answer_counts(source_, findings.answers, report);
  fill(report);
  const ScopedPhase phase(clock(), &PhaseTimes::writing);
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
  if (epsilon && findings.violation_beyond_slack <= *epsilon &&
      (qp_is_exact_ || findings.gap <= epsilon_gap())) {
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

// Also reports the last pass in batches, if its QP was interrupted.
Result PassController::finish_interrupted() {
  if (passes() > reported_passes()) report_batches();
  return finish(stop_rules().interruption().value_or(StoppedBy::signal));
}

// For a run that stopped in batches, before all examples were asked at one w. The result is the w
// of the working set. Its planes are the only bound on P.
void PassController::certify_working_set() {
  if (has_asked_all_ || working_set_.plane_count() == 0) return;
  qp_solver_.evaluate();
  update_query_point();
  // Sampled planes bound no slack.
  const MeanSlack mean = options_.samples_cuts ? MeanSlack{0, infinity, 0, 0} : known_mean_slack();
  const PrimalBounds primal = bound_primal(options_.formulation, query_point_squared_norm_, mean);
  certificate_.update(model_at_query_point(), primal, proved_dual(), working_set_.dual_magnitude());
}

UncertifiedReason PassController::uncertified_reason() const {
  if (certificate_.certified()) return UncertifiedReason::none;
  if (!has_asked_all_) return UncertifiedReason::not_asked;
  if (!source_.is_convex()) return UncertifiedReason::not_convex;
  return std::isfinite(certificate_.primal()) ? UncertifiedReason::no_upper_bound
                                              : UncertifiedReason::violated;
}

// These are some hundred thousand pieces of memory, so the time counts as reduction.
void PassController::free_planes() {
  const ScopedPhase phase(clock(), &PhaseTimes::reduction);
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
  if (options_.samples_cuts) clear_dual(result);
  result.reached = has_reached_target(rule, result.certified);
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
