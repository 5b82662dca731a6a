#include "solver/moments/moment_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text/message_text.hpp"
#include "linalg/products.hpp"
#include "linalg/rounding.hpp"
#include "parallel/blocks.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {
namespace {

// Below this fraction of ||b|| the r of the steps says nothing of b - A w.
constexpr double least_residual = 1e-15;

// lambda = 0: A is singular along a direction with this fraction of the largest curvature.
constexpr double singular_curvature = 1e-14;

// b - A w may differ from the r of the steps by this fraction of its terms. Oracles may work in
// single precision.
constexpr double linear_tolerance = 1e-6;

}  // namespace

MomentRun::MomentRun(const MomentOptions& options, const MomentTerms& terms, const Ports& ports,
                     Listener& listener, const StopRequest& stop, Checkpoints& checkpoints)
    : RunCounters(options.stop, *ports.expectations, stop),
      options_(options),
      planes_(*ports.planes),
      listener_(listener),
      checkpoints_(checkpoints),
      system_(terms, *ports.expectations, *ports.counts),
      asked_count_(asked_count(planes_.example_count(), planes_.example_weights())),
      w_(static_cast<std::size_t>(planes_.dimension()), 0.0) {}

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
  if (!has_b_) return compute_b();
  const double target = std::max(options_.residual, least_residual);
  return !is_confirmed_ && has_small_residual(target) ? confirm_residual() : step();
}

// Why no further pass is made.
std::optional<StoppedBy> MomentRun::stop_rule() const {
  if (!has_b_) return std::nullopt;
  if (is_confirmed_ && has_small_residual(options_.residual)) return StoppedBy::residual;
  if (is_stuck_) return StoppedBy::standstill;
  return reached_limit();
}

bool MomentRun::compute_b() {
  if (!ask(asked_count_, [&] { no_output_count_ = system_.compute_b(next_pass(), b_); })) {
    return false;
  }
  r_ = p_ = b_;
  squared_b_ = squared_r_ = dot_in_blocks(system_.workers(), b_, b_);
  has_b_ = is_confirmed_ = true;
  return true;
}

// product = A v
bool MomentRun::ask_for_product(const Vector& v) {
  return ask(system_.queries_of_product() * asked_count_,
             [&] { system_.multiply(next_pass(), v, product_); });
}

bool MomentRun::step() {
  if (!ask_for_product(p_)) return false;
  Workers* const workers = system_.workers();
  const double squared_p = dot_in_blocks(workers, p_, p_);
  const double curvature = dot_in_blocks(workers, p_, product_);
  largest_curvature_ = std::max(largest_curvature_, curvature / squared_p);
  const double least =
      options_.lambda > 0 ? options_.lambda / 2 : singular_curvature * largest_curvature_;
  if (!(curvature > least * squared_p) || !std::isfinite(curvature)) {
    is_stuck_ = true;
    return true;
  }
  const double alpha = squared_r_ / curvature;
  const double squared_r = sum_over_blocks(workers, w_.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      w_[j] += alpha * p_[j];
      r_[j] -= alpha * product_[j];
      sum += r_[j] * r_[j];
    }
    return sum;
  });
  const double beta = squared_r / squared_r_;
  for_each_block(workers, w_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) p_[j] = r_[j] + beta * p_[j];
  });
  squared_r_ = squared_r;
  is_confirmed_ = false;
  return true;
}

// r = b - A w, from a new product.
bool MomentRun::confirm_residual() {
  if (!ask_for_product(w_)) return false;
  Workers* const workers = system_.workers();
  const double squared_change = sum_over_blocks(workers, w_.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      const double r = b_[j] - product_[j];
      sum += (r - r_[j]) * (r - r_[j]);
      r_[j] = r;
    }
    return sum;
  });
  squared_r_ = dot_in_blocks(workers, r_, r_);
  p_ = r_;
  is_confirmed_ = true;
  is_stuck_ = squared_r_ > 0.25 * least_confirmed_;
  least_confirmed_ = std::min(least_confirmed_, squared_r_);
  require_linear(std::sqrt(squared_change));
  return true;
}

// The r of the steps and b - A w differ by `change`.
void MomentRun::require_linear(double change) const {
  const double terms = std::sqrt(squared_b_) +
                       largest_curvature_ * std::sqrt(dot_in_blocks(system_.workers(), w_, w_));
  if (change <= linear_tolerance * terms) return;
  planes_.report_contradiction(
      -1,
      "its Cov[psi] v is not linear in v: at the sum of all steps it differs from the sum of "
      "their products, by " +
          number_text(change / std::sqrt(squared_b_)) + " times ||b||");
}

bool MomentRun::has_small_residual(double target) const {
  return squared_r_ <= target * target * squared_b_;
}

// ||r|| / ||b||, 0 if both are 0.
double MomentRun::residual() const {
  return squared_r_ == 0 ? 0 : std::sqrt(squared_r_ / squared_b_);
}

void MomentRun::report() {
  count_pass();
  record_report();
  const MomentPoint point = moment_point(system_.workers(), w_, b_, r_);
  PassReport report;
  fill(report);
  report.primal_low = report.primal_high = report.best_primal = point.primal;
  report.residual = residual();
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
    const MomentPoint point = moment_point(system_.workers(), w_, b_, r_);
    result.primal = result.primal_low = point.primal;
    result.primal_high = point.primal;
    result.residual = residual();
    result.rounding =
        8 * unit_roundoff * std::sqrt(static_cast<double>(example_count())) * point.magnitude;
    result.dual = point.dual(options_.lambda);
    result.certified = options_.lambda > 0;
    result.uncertified_reason = UncertifiedReason::none;
    if (result.certified) {
      result.gap = point.primal - result.dual;
      result.relative_gap = result.gap == 0 ? 0 : result.gap / std::abs(point.primal);
    }
    result.answers.no_output_count = no_output_count_;
    if (!find_hinge_primal(result)) {
      rule = stop_rules().interruption().value_or(StoppedBy::signal);
    }
  }
  fill(result);
  result.stopped_by = rule;
  result.reached = has_reached_target(rule, result.certified);
  result.w = std::move(w_);
  return result;
}

// Computes P of the hinges at w. It belongs to no checkpoint: a resumed run computes it again.
bool MomentRun::find_hinge_primal(Result& result) {
  MeanSlack mean;
  AnswerCounts counts;
  std::vector<Separation> answers;
  const Pass pass = next_pass();
  const std::int64_t calls = oracle_calls();
  const std::int64_t extra_calls = planes_.extra_oracle_calls();
  const bool is_complete = sum_mean_slack(
      options_.formulation, planes_, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        return ask(std::ssize(examples), [&] { planes_.separate(w_, examples, pass, out); });
      },
      [&](const Separation& answer) { counts.add(answer); });
  if (!is_complete) {
    subtract_calls(oracle_calls() - calls);
    return false;
  }
  add_calls(planes_.extra_oracle_calls() - extra_calls);
  const PrimalBounds primal = bound_primal(options_.formulation, squared_norm(w_), mean);
  result.hinge = ReportedHinge{primal.low, primal.high};
  result.answers = counts;
  return true;
}

void MomentRun::start() {
  if (StateReader* const state = checkpoints_.saved_state()) load(*state);
}

void MomentRun::write_checkpoint() {
  checkpoints_.write(reported_passes(), [this](StateWriter& out) {
    save_counts(out);
    out.put(has_b_);
    if (has_b_) {
      out.put(is_confirmed_);
      out.put(is_stuck_);
      out.put(no_output_count_);
      out.put(least_confirmed_);
      out.put(largest_curvature_);
      out.put(squared_r_);
      for (const Vector* const vector : {&w_, &b_, &r_, &p_}) out.put_array(*vector);
    }
    save_times(out);
  });
}

void MomentRun::load(StateReader& in) {
  const std::size_t dimension = w_.size();
  load_counts(in);
  has_b_ = in.get_flag();
  if (has_b_) {
    is_confirmed_ = in.get_flag();
    is_stuck_ = in.get_flag();
    no_output_count_ = in.get_count();
    for (double* const value : {&least_confirmed_, &largest_curvature_, &squared_r_}) {
      *value = in.get<double>();
      in.require(*value >= 0, "a square that is negative or no number");
    }
    for (Vector* const vector : {&w_, &b_, &r_, &p_}) {
      in.get_array(*vector);
      in.require(vector->size() == dimension, "a vector of another dimension");
    }
    squared_b_ = dot_in_blocks(system_.workers(), b_, b_);
  }
  load_times(in);
  in.require(in.bytes_left() == 0, "more than the state of this solver");
}

}  // namespace sculpt::core
