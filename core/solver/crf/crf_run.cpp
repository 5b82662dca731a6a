#include "solver/crf/crf_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// Two values of P, and P and D, may contradict each other by this fraction of P. Oracles may work
// in single precision.
constexpr double tolerance = 1e-6;

// <a, b - c>
double dot_with_change(Workers* workers, const Vector& a, const Vector& b, const Vector& c) {
  return sum_over_blocks(workers, a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += a[j] * (b[j] - c[j]);
    return sum;
  });
}

}  // namespace

CrfRun::CrfRun(const CrfOptions& options, const Ports& ports, Listener& listener,
               const StopRequest& stop, Checkpoints& checkpoints)
    : LogLossRun(options, ports, listener, stop, checkpoints),
      loss_(options.terms, source(), *ports.counts),
      orthant_(loss_.regularizer(), source().workers()),
      history_(options.history, source().workers()),
      dual_(-infinity),
      progress_(no_value) {}

Result CrfRun::solve() {
  start();
  if (const auto rule = descend_stochastically(sgd_passes(), trial_.w)) return finish(*rule);
  for (;;) {
    if (const auto rule = stop_rule()) return finish(*rule);
    if (checkpoints().is_due()) write_checkpoint();
    if (!evaluate_trial()) return finish(interruption());
    raise_dual();
    advance();
    const Bounds known = bounds();
    report(&known, progress_);
  }
}

// Why no further pass is made.
std::optional<StoppedBy> CrfRun::stop_rule() const {
  if (!has_base_) return std::nullopt;
  if (bounds().relative_gap() <= options().stop.relative_gap) return StoppedBy::relative_gap;
  if (is_stuck_) return StoppedBy::standstill;
  if (options().only_sgd) return StoppedBy::sgd_passes;
  return reached_limit();
}

// Those of a fresh run. A run that resumes has its own.
std::int64_t CrfRun::sgd_passes() const {
  if (options().sgd_passes) return *options().sgd_passes;
  if (options().only_sgd) return 25;
  return loss_.regularizer().is_smooth() ? 5 : 0;
}

// Computes P, gradient and D at the trial w. Returns false if it was interrupted.
bool CrfRun::evaluate_trial() {
  const std::int64_t asked = asked_count(example_count(), source().example_weights());
  return ask(asked, [&] { loss_.evaluate(next_pass(), trial_); });
}

// Keeps the best D, and its w. D proves nothing if log Z is an approximation, which need not even
// be convex. Then the D of the base is kept: its gap measures the gradient.
void CrfRun::raise_dual() {
  if (!trial_.is_exact) is_exact_ = false;
  if (!is_exact_) return;
  if (trial_.dual() > dual_) {
    dual_ = trial_.dual();
    dual_w_ = trial_.w;
  }
  const double primal = has_base_ ? std::min(base_.primal, trial_.primal) : trial_.primal;
  const double magnitude = std::abs(primal) + std::abs(dual_);
  if (dual_ - primal <= tolerance * magnitude + 2 * trial_.rounding) return;
  source().report_contradiction(
      -1, "its log Z and its E[psi] contradict each other: they prove the dual " +
              number_text(dual_, 9) + ", but the primal is " + number_text(primal, 9));
}

// P lies above the tangent of its smooth part at the base, along any step. The step of a line
// search never makes ||w||_1 fall by more than its slope says.
void CrfRun::check_convexity(const LineSearch::Trial& trial) const {
  if (!is_exact_) return;
  const double least = base_.primal + trial.decrease;
  const double magnitude = std::abs(base_.primal) + std::abs(trial_.primal);
  if (least - trial_.primal <= tolerance * magnitude + 2 * trial_.rounding) return;
  source().report_contradiction(
      -1, "its log Z and its E[psi] contradict each other: by E[psi] the primal is at least " +
              number_text(least, 9) + " after a step, but by log Z it is " +
              number_text(trial_.primal, 9));
}

// Accepts the trial or not, and prepares the next one.
void CrfRun::advance() {
  if (!has_base_) return accept_trial();
  Workers* const workers = source().workers();
  LineSearch::Trial trial{trial_.primal, 0, no_value, trial_.rounding};
  if (loss_.regularizer().is_smooth()) {
    trial.decrease = search_.step() * slope_;
    trial.slope = dot_in_blocks(workers, trial_.gradient, direction_);
  } else {
    trial.decrease = dot_with_change(workers, slopes_, trial_.w, base_.w);
  }
  check_convexity(trial);
  const double target = options().stop.relative_gap * std::abs(trial_.primal);
  const double gap = is_exact_ ? trial_.primal - dual_ : trial_.gap;
  const bool is_last = trial_.primal <= base_.primal && gap <= target;
  if (search_.accepts(trial) || is_last) return accept_trial();
  if (search_.is_stuck() && history_.is_empty()) {
    is_stuck_ = true;
    return;
  }
  if (search_.is_stuck()) {  // once more, along the gradient
    history_.clear();
    choose_direction();
  }
  set_trial();
}

void CrfRun::accept_trial() {
  if (has_base_) {
    progress_ = (base_.primal - trial_.primal) / std::max(std::abs(trial_.primal), 1e-300);
    history_.add(base_.w, trial_.w, base_.gradient, trial_.gradient);
  }
  std::swap(base_, trial_);
  has_base_ = true;
  if (!is_exact_) {
    dual_ = base_.dual();
    dual_w_ = base_.w;
  }
  choose_direction();
  is_stuck_ = !(slope_ < 0);
  set_trial();
}

// Chooses the direction from the base, and begins the search along it.
void CrfRun::choose_direction() {
  Workers* const workers = source().workers();
  const bool is_smooth = loss_.regularizer().is_smooth();
  if (!is_smooth) orthant_.find_slopes(base_.w, base_.gradient, slopes_);
  const Vector& slopes = is_smooth ? base_.gradient : slopes_;
  history_.find_direction(slopes, direction_);
  if (!is_smooth) orthant_.align(slopes, direction_);
  slope_ = dot_in_blocks(workers, slopes, direction_);
  // Without a history the scale of the direction is that of the gradient, which says nothing of the
  // distance to go.
  const double first_step =
      history_.is_empty()
          ? 1 / std::max(1.0, std::sqrt(dot_in_blocks(workers, direction_, direction_)))
          : 1;
  search_.begin(base_.primal, slope_, first_step);
}

void CrfRun::set_trial() {
  if (!loss_.regularizer().is_smooth()) {
    orthant_.move(base_.w, slopes_, direction_, search_.step(), trial_.w);
    return;
  }
  trial_.w.resize(base_.w.size());
  const double step = search_.step();
  for_each_block(source().workers(), base_.w.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) trial_.w[j] = base_.w[j] + step * direction_[j];
  });
}

LogLossRun::Bounds CrfRun::bounds() const {
  return {base_.primal, dual_, base_.rounding, base_.no_output_count, is_exact_};
}

Result CrfRun::finish(StoppedBy rule) {
  write_checkpoint();
  if (!has_base_) {
    return result_of(rule, nullptr, is_descending() ? descending_w() : std::move(trial_.w));
  }
  const Bounds known = bounds();
  return result_of(rule, &known, std::move(base_.w));
}

void CrfRun::start() {
  if (StateReader* const state = checkpoints().saved_state()) {
    load(*state);
    return;
  }
  Vector* const warm_start = checkpoints().warm_start_weights();
  const bool needs_steps = warm_start == nullptr || options().needs_sgd();
  trial_.w = begin_descent(needs_steps ? sgd_passes() : 0, warm_start);
}

void CrfRun::write_checkpoint() {
  checkpoints().write(reported_passes(), [this](StateWriter& out) {
    save_counts(out);
    save_descent(out);
    out.put(has_base_);
    if (!has_base_ && !is_descending()) out.put_array(trial_.w);
    if (has_base_) {
      out.put(is_exact_);
      out.put(is_stuck_);
      for (const double value : {base_.primal, base_.gap, base_.rounding, dual_, progress_}) {
        out.put(value);
      }
      out.put(base_.no_output_count);
      for (const Vector* const vector : {&base_.w, &base_.gradient, &dual_w_}) {
        out.put_array(*vector);
      }
      history_.save(out);
      search_.save(out);
    }
    save_times(out);
  });
}

void CrfRun::load(StateReader& in) {
  const auto dimension = static_cast<std::size_t>(source().dimension());
  load_counts(in);
  load_descent(in);
  has_base_ = in.get_flag();
  if (!has_base_ && !is_descending()) {
    in.get_array(trial_.w);
    in.require(trial_.w.size() == dimension, "a vector of another dimension");
  }
  if (has_base_) {
    is_exact_ = in.get_flag();
    is_stuck_ = in.get_flag();
    for (double* const value : {&base_.primal, &base_.gap, &base_.rounding, &dual_, &progress_}) {
      *value = in.get<double>();
    }
    in.require(std::isfinite(base_.primal) && std::isfinite(dual_) && base_.gap >= 0 &&
                   base_.rounding >= 0,
               "a primal, a dual or a gap that is no such number");
    base_.no_output_count = in.get_count();
    for (Vector* const vector : {&base_.w, &base_.gradient, &dual_w_}) {
      in.get_array(*vector);
      in.require(vector->size() == dimension, "a vector of another dimension");
    }
    history_.load(in, dimension);
    choose_direction();
    search_.load(in);
    set_trial();
  }
  load_times(in);
  in.require(in.bytes_left() == 0, "more than the state of this solver");
}

std::vector<Vector> CrfRun::load_dual_vectors(StateReader& in) {
  load(in);
  return {std::move(dual_w_)};
}

}  // namespace sculpt::core
