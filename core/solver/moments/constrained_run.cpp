#include "solver/moments/constrained_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/text/message_text.hpp"
#include "linalg/mean_rounding.hpp"
#include "linalg/products.hpp"
#include "parallel/blocks.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {
namespace {

// P and D may contradict each other by this fraction of their terms. Oracles may work in single
// precision.
constexpr double residual_tolerance = 1e-6;

// The QP leaves this fraction of the gap that is allowed at the end, and so may the residual of w.
constexpr double fraction_of_target = 0.1;

// This many questions in a row that do not raise the dual end the run.
constexpr std::int64_t most_stalled = 30;

constexpr std::int64_t most_corrections = 3;

}  // namespace

ConstrainedRun::ConstrainedRun(const ConstrainedZScoreOptions& options, const Ports& ports,
                               Listener& listener, const StopRequest& stop,
                               Checkpoints& checkpoints)
    : MomentPasses(options.stop, options.terms.system(), ports, stop),
      options_(options),
      listener_(listener),
      checkpoints_(checkpoints),
      steps_(system_.source(), options.terms.lambda, known_bytes_of_steps),
      model_(options.terms.price, workers()) {}

Result ConstrainedRun::solve() {
  start();
  for (;;) {
    if (const auto rule = stop_rule()) return finish(*rule);
    if (checkpoints_.is_due()) write_checkpoint();
    if (!make_pass()) return finish(stop_rules().interruption().value_or(StoppedBy::signal));
    report();
  }
}

// Returns false if it was interrupted.
bool ConstrainedRun::make_pass() {
  if (phase_ == Phase::b) return compute_right_side();
  if (phase_ == Phase::asking) return ask_at_w();
  const bool is_complete = steps_.advance(
      target_, [this](const Vector& v, Vector& out) { return ask_for_product(v, out); });
  if (is_complete && (steps_.has_reached(target_) || steps_.is_stuck())) use_solution();
  return is_complete;
}

// Why no further pass is made.
std::optional<StoppedBy> ConstrainedRun::stop_rule() const {
  if (is_bounded() && relative_gap() <= options_.stop.relative_gap) return StoppedBy::relative_gap;
  if (zero_is_best()) return StoppedBy::standstill;
  if (stalled_count_ >= most_stalled) return StoppedBy::standstill;
  return reached_limit();
}

// True if w = 0 is the best w but for a small part of what the constraints cost: there P is 0, and
// no gap is small beside it.
bool ConstrainedRun::zero_is_best() const {
  return is_bounded() && best_.high == 0 &&
         gap() <= options_.stop.relative_gap * model_.gap_without_planes();
}

bool ConstrainedRun::compute_right_side() {
  Vector b;
  if (!compute_b(b)) return false;
  begin_solving(RightSide::b, b, residual());
  return true;
}

// The error of the model of the QP is of the order of the squared residual of its planes. Early
// planes need no more: what is missing in w is corrected.
double ConstrainedRun::residual() const {
  return options_.residual.value_or(
      std::clamp(0.1 * std::sqrt(options_.stop.relative_gap), 1e-10, 0.01));
}

void ConstrainedRun::begin_solving(RightSide kind, const Vector& c, double target) {
  right_side_ = kind;
  target_ = target;
  phase_ = Phase::solving;
  steps_.begin(c);
  if (steps_.has_reached(target_)) use_solution();  // c = 0
}

void ConstrainedRun::use_solution() {
  phase_ = Phase::asking;
  if (right_side_ == RightSide::residual) {
    for_each_block(workers(), w_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) w_[j] += steps_.x()[j];
    });
    return;
  }
  Vector c = steps_.c();
  if (right_side_ == RightSide::b) {
    model_.begin(std::move(c), steps_.take_x());
  } else {
    model_.add(std::move(c), steps_.take_x());
  }
  model_.optimize(fraction_of_target * options_.stop.relative_gap);
  model_.find_point(w_, z_);
}

// Asks for A w and for the worst outputs at w.
bool ConstrainedRun::ask_at_w() {
  const std::int64_t calls = oracle_calls();
  MeanSlack mean;
  if (!ask_for_product(w_, product_)) return false;
  if (!sum_plane(mean)) {
    subtract_calls(oracle_calls() - calls);
    return false;
  }
  const ConstrainedPoint point =
      constrained_point(workers(), w_, product_, z_, model_.b(), options_.terms.lambda);
  update_bounds(point, mean);
  choose_next(point, mean);
  return true;
}

// plane = 1/n sum of c_i dpsi_i over the examples whose truth does not score best at w.
bool ConstrainedRun::sum_plane(MeanSlack& mean) {
  plane_.assign(dimension(), 0.0);
  const double share = 1 / static_cast<double>(example_count());
  Pass pass = next_pass();
  pass.loss_weight = 0;
  const std::int64_t extra_calls = planes_.extra_oracle_calls();
  std::vector<Separation> answers;
  const bool is_complete = sum_mean_slack(
      Formulation(), planes_, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        return ask(std::ssize(examples), [&] { planes_.separate(w_, examples, pass, out); });
      },
      [&](const Separation& answer) {
        if (answer.low > 0) axpy(share, answer.plane.a, plane_);
      });
  if (is_complete) add_calls(planes_.extra_oracle_calls() - extra_calls);
  return is_complete;
}

void ConstrainedRun::update_bounds(const ConstrainedPoint& point, const MeanSlack& mean) {
  const double price = options_.terms.price;
  const double low = point.q + price * mean.low;
  const double high = point.q + price * mean.high;
  if (high < best_.high || (!is_bounded() && low < best_.low)) {
    const double magnitude = point.magnitude + price * mean.low;
    const double rounding = mean_rounding(example_count(), magnitude) + price * mean.rounding;
    best_ = {w_, low, high, rounding};
  }
  const Vector zero(dimension(), 0.0);
  if (is_bounded() && best_.high > -model_.rounding()) best_ = {zero, 0, 0, 0};  // P(0) = 0
  const bool is_higher = !(point.dual <= dual_ + 1e-12 * point.magnitude);
  stalled_count_ = is_higher ? 0 : stalled_count_ + 1;
  if (point.dual > dual_) {
    dual_ = point.dual;
    dual_w_ = w_;
    dual_z_ = z_;
  }
  if (best_.high == 0 && std::abs(dual_) <= model_.rounding()) {  // z is 0, but for rounding
    dual_ = 0;
    dual_w_ = dual_z_ = zero;
  }
  const double excess = dual_ - best_.high;
  if (excess <= residual_tolerance * (point.magnitude + std::abs(dual_)) + 2 * best_.rounding)
    return;
  planes_.report_contradiction(-1, "its answers contradict each other: they prove the dual " +
                                       number_text(dual_, 9) + ", but the primal is " +
                                       number_text(best_.high, 9));
}

// Chooses what the next passes compute: a correction of w, or the product with the new plane.
void ConstrainedRun::choose_next(const ConstrainedPoint& point, const MeanSlack& mean) {
  const double allowed = fraction_of_target * options_.stop.relative_gap * std::abs(point.dual);
  const double own_gap = point.q + options_.terms.price * mean.low - point.dual;
  const bool needs_correction = point.residual_cost > allowed &&
                                point.residual_cost > 0.5 * own_gap &&
                                corrections_ < most_corrections;
  if (needs_correction) {
    ++corrections_;
    Vector residual = z_;
    axpy(-1, std::span<const double>(product_), residual);
    const double target = std::sqrt(0.5 * allowed / point.residual_cost);
    return begin_solving(RightSide::residual, residual, std::min(0.5, target));
  }
  corrections_ = 0;
  const double new_slack = -dot(std::span<const double>(w_), plane_);
  if (!(new_slack > model_.slack())) stalled_count_ = most_stalled;  // the model has this plane
  begin_solving(RightSide::plane, plane_, residual());
}

double ConstrainedRun::gap() const {
  const double gap = best_.value() - dual_;
  return gap <= model_.rounding() ? 0 : gap;
}

double ConstrainedRun::relative_gap() const {
  return gap() == 0 ? 0 : gap() / std::abs(best_.value());
}

void ConstrainedRun::report() {
  count_pass();
  record_report();
  PassReport report;
  fill(report);
  report.planes = model_.plane_count();
  report.active_planes = model_.active_count();
  if (!best_.w.empty()) {
    report.primal_low = best_.low;
    report.primal_high = best_.high;
    report.best_primal = best_.value();
    report.primal_kind = bound_kind_of(best_.low, best_.high);
    report.dual = dual_;
    report.gap = gap();
    report.relative_gap = relative_gap();
    report.certified = is_bounded();
  }
  listener_.pass_done(report);
}

Result ConstrainedRun::finish(StoppedBy rule) {
  write_checkpoint();
  Result result;
  result.w.assign(dimension(), 0.0);
  if (best_.w.empty()) {  // stopped before the first question
    result.primal_low = no_value;
  } else {
    result.w = std::move(best_.w);
    result.primal = best_.value();
    result.primal_low = best_.low;
    if (is_bounded()) result.primal_high = best_.high;
    result.dual = dual_;
    result.gap = gap();
    result.relative_gap = relative_gap();
    result.rounding = best_.rounding;
    result.certified = is_bounded();
    result.uncertified_reason =
        is_bounded() ? UncertifiedReason::none : UncertifiedReason::no_upper_bound;
    result.planes = model_.plane_count();
    result.active_planes = model_.active_count();
    result.answers.no_output_count = no_output_count();
    if (!find_hinge_primal(options_.formulation, result.w, result)) {
      rule = stop_rules().interruption().value_or(StoppedBy::signal);
    }
  }
  fill(result);
  result.stopped_by = rule;
  result.reached = has_reached_target(rule, result.certified);
  return result;
}

void ConstrainedRun::start() {
  if (StateReader* const state = checkpoints_.saved_state()) load(*state);
}

void ConstrainedRun::write_checkpoint() {
  checkpoints_.write(reported_passes(), [this](StateWriter& out) {
    save_counts(out);
    out.put(static_cast<std::uint8_t>(phase_));
    if (phase_ != Phase::b) {
      save_no_output_count(out);
      out.put(static_cast<std::uint8_t>(right_side_));
      out.put(target_);
      out.put(stalled_count_);
      out.put(corrections_);
      out.put(dual_);
      out.put(best_.low);
      out.put(best_.high);
      out.put(best_.rounding);
      for (const Vector* const vector : {&w_, &z_, &best_.w, &dual_w_, &dual_z_}) {
        out.put_array(*vector);
      }
      out.put(phase_ == Phase::solving);
      steps_.save_known(out);
      if (phase_ == Phase::solving) steps_.save(out);
      model_.save(out);
    }
    save_times(out);
  });
}

void ConstrainedRun::load(StateReader& in) {
  load_counts(in);
  const auto phase = in.get<std::uint8_t>();
  in.require(phase <= static_cast<std::uint8_t>(Phase::asking), "a phase that does not exist");
  phase_ = static_cast<Phase>(phase);
  if (phase_ != Phase::b) {
    load_no_output_count(in);
    const auto kind = in.get<std::uint8_t>();
    in.require(kind <= static_cast<std::uint8_t>(RightSide::residual), "a right side of no kind");
    right_side_ = static_cast<RightSide>(kind);
    target_ = in.get<double>();
    stalled_count_ = in.get_count();
    corrections_ = in.get_count();
    dual_ = in.get<double>();
    best_.low = in.get<double>();
    best_.high = in.get<double>();
    best_.rounding = in.get<double>();
    in.require(target_ >= 0 && best_.rounding >= 0 && !std::isnan(dual_),
               "a target, a rounding or a dual that is no such number");
    for (Vector* const vector : {&w_, &z_, &best_.w, &dual_w_, &dual_z_}) {
      in.get_array(*vector);
      in.require(vector->empty() || vector->size() == dimension(), "a vector of another dimension");
    }
    in.require(w_.size() == z_.size() && dual_w_.size() == dual_z_.size(),
               "vectors of two dimensions");
    const bool is_solving = in.get_flag();
    in.require(is_solving == (phase_ == Phase::solving), "a phase without its state");
    steps_.load_known(in, dimension());
    if (is_solving) steps_.load(in, dimension());
    model_.load(in, dimension());
    in.require(model_.has_begun() ? w_.size() == dimension() : right_side_ == RightSide::b,
               "a phase without its planes");
  }
  load_times(in);
  in.require(in.bytes_left() == 0, "more than the state of this solver");
}

std::vector<Vector> ConstrainedRun::load_dual_vectors(StateReader& in) {
  load(in);
  if (dual_w_.empty()) return {};
  return {std::move(dual_w_), std::move(dual_z_)};
}

}  // namespace sculpt::core
