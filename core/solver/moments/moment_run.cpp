#include "solver/moments/moment_run.hpp"

#include <cmath>

#include "linalg/mean_rounding.hpp"

namespace sculpt::core {

MomentRun::MomentRun(const MomentOptions& options, const MomentTerms& terms, const Ports& ports,
                     Listener& listener, const StopRequest& stop, Checkpoints& checkpoints)
    : MomentPasses(options.stop, terms, ports, stop),
      options_(options),
      listener_(listener),
      checkpoints_(checkpoints),
      steps_(system_.source(), options.lambda) {}

Result MomentRun::solve() {
  start();
  for (;;) {
    if (const auto rule = stop_rule()) return finish(*rule);
    if (checkpoints_.is_due()) write_checkpoint();
    if (!make_pass()) return finish(stop_rules().interruption().value_or(StoppedBy::signal));
    report();
  }
}

// Returns false if it was interrupted.
bool MomentRun::make_pass() {
  if (has_b_) {
    return steps_.advance(options_.residual,
                          [this](const Vector& v, Vector& out) { return ask_for_product(v, out); });
  }
  Vector b;
  if (!compute_b(b)) return false;
  steps_.begin(b);
  has_b_ = true;
  return true;
}

// Why no further pass is made.
std::optional<StoppedBy> MomentRun::stop_rule() const {
  if (!has_b_) return std::nullopt;
  if (steps_.has_reached(options_.residual)) return StoppedBy::residual;
  if (steps_.is_stuck()) return StoppedBy::standstill;
  return reached_limit();
}

MomentPoint MomentRun::point() const {
  return moment_point(workers(), steps_.x(), steps_.c(), steps_.r());
}

void MomentRun::report() {
  count_pass();
  record_report();
  const MomentPoint point = this->point();
  PassReport report;
  fill(report);
  report.primal_low = report.primal_high = report.best_primal = point.primal;
  report.residual = steps_.residual();
  report.dual = point.dual(options_.lambda);
  report.certified = options_.lambda > 0;
  if (report.certified) {
    report.gap = point.primal - report.dual;
    report.relative_gap = report.gap == 0 ? 0 : report.gap / std::abs(point.primal);
  }
  listener_.pass_done(report);
}

Result MomentRun::finish(StoppedBy rule) {
  write_checkpoint();
  Result result;
  if (!has_b_) {  // interrupted in the first pass
    result.primal_low = no_value;
  } else {
    const MomentPoint point = this->point();
    result.primal = result.primal_low = point.primal;
    result.primal_high = point.primal;
    result.residual = steps_.residual();
    result.rounding = mean_rounding(example_count(), point.magnitude);
    result.dual = point.dual(options_.lambda);
    result.certified = options_.lambda > 0;
    result.uncertified_reason = UncertifiedReason::none;
    if (result.certified) {
      result.gap = point.primal - result.dual;
      result.relative_gap = result.gap == 0 ? 0 : result.gap / std::abs(point.primal);
    }
    result.answers.no_output_count = no_output_count();
    if (!find_hinge_primal(options_.formulation, steps_.x(), result)) {
      rule = stop_rules().interruption().value_or(StoppedBy::signal);
    }
  }
  fill(result);
  result.stopped_by = rule;
  result.reached = has_reached_target(rule, result.certified);
  result.w = has_b_ ? steps_.take_x() : Vector(dimension(), 0.0);
  return result;
}

void MomentRun::start() {
  if (StateReader* const state = checkpoints_.saved_state()) load(*state);
}

void MomentRun::write_checkpoint() {
  checkpoints_.write(reported_passes(), [this](StateWriter& out) {
    save_counts(out);
    out.put(has_b_);
    if (has_b_) {
      save_no_output_count(out);
      steps_.save(out);
    }
    save_times(out);
  });
}

void MomentRun::load(StateReader& in) {
  load_counts(in);
  has_b_ = in.get_flag();
  if (has_b_) {
    load_no_output_count(in);
    steps_.load(in, dimension());
  }
  load_times(in);
  in.require(in.bytes_left() == 0, "more than the state of this solver");
}

}  // namespace sculpt::core
