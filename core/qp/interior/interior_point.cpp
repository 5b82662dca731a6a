#include "qp/interior/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/infinity.hpp"
#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

constexpr int max_steps = 100;

// The number of times that violated planes may join in. Until the planes are final, the QP is
// solved only to this fraction of the gap.
constexpr int max_rounds = 30;
constexpr double round_fraction = 0.03;

// After this many steps in a row that do not lower the gap to this fraction of its old value,
// double precision allows no more.
constexpr int max_steps_without_gain = 6;
constexpr double fall_factor = 0.9;

// Products below this fraction of P are negligible. D is less exact than that if planes are long.
constexpr double negligible_fraction = 1e-15;

// A difference below this fraction of the terms of D is rounding.
constexpr double rounding_fraction = 1e-14;

// Steps end at this fraction of the tolerance. Setting small alpha to 0 may use the rest.
constexpr double target_fraction = 0.5;

// Slacks start at least this fraction of the largest b away from 0.
constexpr double min_shift = 1e-9;

// A plane counts as idle if its alpha is a small fraction of the block's alpha. The limit is
// idle_fraction times the slack of its constraint, divided by the largest b.
constexpr double idle_fraction = 1e-3;

}  // namespace

InteriorPoint::End InteriorPoint::ascend(const SparseVector& start, double gap,
                                         const Request& request) {
  work_ = static_cast<double>(working_set_.entry_count());
  newton_point_ = start;
  choose_planes(start, gap);
  bool starts_at_zero = !std::isfinite(gap);
  Request round_request = request;
  for (int round = 1;; ++round) {
    const double known_gap = std::isfinite(gap) ? gap : 0;
    round_request.tolerance = std::max(request.tolerance, round_fraction * known_gap);
    set_start(gap);
    const End end = run_newton_steps(round_request);
    store_result(round_request.tolerance);
    const bool has_violated = choose_violated_planes();
    if (end == End::interrupted || end == End::dual_limit) return end;
    const double remaining_gap = std::max(0.0, best_primal_ - working_set_.dual());
    if (remaining_gap <= request.tolerance) return End::tolerance;
    const bool is_stalled = !has_violated && !(remaining_gap < fall_factor * gap);
    if (round == max_rounds || (is_stalled && starts_at_zero)) return End::rounding;
    gap = remaining_gap;
    if (!is_stalled) continue;
    // If planes are long, multipliers slightly above 0 may move w far from sum alpha a. Steps from
    // there do not come back, so start again from 0.
    starts_at_zero = true;
    gap = infinity;
    choose_planes(start, gap);
  }
}

// Makes Newton steps with the chosen planes until the gap is small or nothing progresses. Keeps the
// best w and alpha. Each step is a predictor and a corrector (Mehrotra).
InteriorPoint::End InteriorPoint::run_newton_steps(const Request& request) {
  double min_gap = infinity;
  double min_product = infinity;
  double max_dual = 0;  // of these steps: the best earlier alpha may be far above their start
  int steps_without_gain = 0;
  for (int step = 0; step < max_steps; ++step) {
    compute_primal_and_dual();
    keep_best();
    const double gap = best_primal_ - best_dual_;
    if (gap <= target_fraction * request.tolerance) return End::tolerance;
    if (request.dual_limit > 0 && best_dual_ >= request.dual_limit) return End::dual_limit;
    if (request.stop && request.stop()) return End::interrupted;
    const double product = complementarity(0);
    const bool is_nearer =
        gap < fall_factor * min_gap || dual_ * fall_factor > max_dual ||
        (product < fall_factor * min_product && product > negligible_fraction * primal_);
    steps_without_gain = is_nearer ? 0 : steps_without_gain + 1;
    min_gap = std::min(min_gap, gap);
    min_product = std::min(min_product, product);
    max_dual = std::max(max_dual, dual_);
    if (steps_without_gain >= max_steps_without_gain || !factorize()) break;
    set_predictor_target();
    find_direction();
    const double predictor_ratio = std::max(0.0, complementarity(longest_step()) / product);
    const auto count = static_cast<double>(planes_.rows() + slack_.size() + bounds_.size());
    set_corrector_target(product / count * predictor_ratio * predictor_ratio * predictor_ratio);
    find_direction();
    take_step(std::min(1.0, 0.995 * longest_step()));
  }
  return End::rounding;
}

// Gathers the chosen planes, and sets the first iterate.
void InteriorPoint::set_start(double gap) {
  planes_.gather(working_set_, chosen_);
  const std::size_t rows = planes_.rows();
  for (auto* vector : {&product_, &product_change_, &s_, &s_change_, &alpha_, &alpha_change_, &q_,
                       &complement_, &right_, &scratch_}) {
    vector->assign(rows, 0.0);
  }
  for (auto* vector : {&w_, &w_change_, &v_}) vector->assign(planes_.columns(), 0.0);
  slack_.assign(planes_.blocks(), {});
  // An infinite gap means that neither w nor alpha is near: Newton steps then start better at 0.
  const bool is_near = std::isfinite(gap);
  if (is_near) planes_.to_columns(newton_point_, w_);
  for (std::size_t i = 0; is_near && i < slack_.size(); ++i) {
    const Block& block = working_set_.block(static_cast<std::int64_t>(i));
    for (std::size_t p = planes_.block_begin(i); p < planes_.block_end(i); ++p) {
      alpha_[p] = block.alpha[planes_.plane_index(p)];
    }
  }
  best_primal_ = infinity;
  best_dual_ = working_set_.dual();
  best_alpha_.clear();
  best_w_ = w_;
  set_starting_bounds(gap);
  planes_.multiply(w_, product_);
  set_starting_slacks(gap);
  set_bound_multipliers();
}

// Every product of a slack and its multiplier starts near its part of the gap, or above.
void InteriorPoint::set_starting_slacks(double gap) {
  const SlackTerm& term = working_set_.slack_term();
  const double largest_b = std::max(working_set_.largest_b(), std::numeric_limits<double>::min());
  const auto blocks = static_cast<double>(slack_.size());
  const double total_alpha = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
  // The alpha that would result if the shortest column alone had to satisfy a plane.
  const std::vector<double> largest = planes_.largest_in_columns();
  const double shortest = largest.empty() ? 1 : *std::min_element(largest.begin(), largest.end());
  const double alpha_alone = largest_b / (shortest * shortest);
  double cost = 0;
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    for (std::size_t p = planes_.block_begin(i); p < planes_.block_end(i); ++p) {
      slack_[i].xi = std::max(slack_[i].xi, planes_.b(p) - product_[p]);
    }
    cost += term.ridge > 0 ? slack_[i].xi / term.ridge : 0;
  }
  const double price =
      term.is_linear() ? term.cap * blocks
      : term.is_forbidden()
          ? total_alpha
          : 0.5 * cost + std::sqrt(0.25 * cost * cost + 0.5 * blocks / term.ridge * gap);
  const double known_shift = std::isfinite(gap) && price > 0 ? gap / price : largest_b;
  const double shift = std::max(known_shift, min_shift * largest_b);
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    Slack& slack = slack_[i];
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    double alpha_sum = 0;
    for (std::size_t p = begin; p < end; ++p) alpha_sum += alpha_[p];
    slack.xi += shift;
    double product = shift / static_cast<double>(end - begin + 1);
    if (term.is_linear()) {
      product *= term.cap;
      slack.u = std::max(0.0, term.cap - alpha_sum) + product / slack.xi;
    } else if (term.is_forbidden()) {
      slack.xi = 0;
      product = shift / static_cast<double>(alpha_.size()) * std::max(total_alpha, alpha_alone);
    } else {
      product *= slack.xi / term.ridge;
    }
    for (std::size_t p = begin; p < end; ++p) {
      s_[p] = std::max(product_[p] + slack.xi - planes_.b(p), shift);
      alpha_[p] += product / s_[p];
    }
  }
}

// Bounded weights start at a distance from 0: a fraction of the weight that satisfies a plane by
// itself.
void InteriorPoint::set_starting_bounds(double gap) {
  bounds_.clear();
  const std::span<const std::uint8_t> nonnegative = working_set_.nonnegative();
  if (nonnegative.empty()) return;
  const double dual = working_set_.dual();
  const double fraction = std::isfinite(gap) ? std::clamp(gap / (dual + gap), min_shift, 1.0) : 1;
  const std::vector<double> largest = planes_.largest_in_columns();
  for (std::size_t j = 0; j < planes_.columns(); ++j) {
    if (nonnegative[planes_.weight_index(j)] == 0) continue;
    w_[j] = std::max(w_[j], 0.0) + fraction * working_set_.largest_b() / largest[j];
    bounds_.push_back({j, 0, 0, 0});
  }
}

// The multipliers of the bounds. Their products start at the mean product of the planes.
void InteriorPoint::set_bound_multipliers() {
  if (bounds_.empty()) return;
  planes_.sum(alpha_, v_);
  const double product = complementarity(0) / static_cast<double>(planes_.rows());
  for (Bound& bound : bounds_) {
    bound.beta = std::max(0.0, -v_[bound.column]) + product / w_[bound.column];
  }
}

// P and D of the current iterate, over the planes of the working set.
void InteriorPoint::compute_primal_and_dual() {
  planes_.multiply(w_, product_);
  compute_primal();
  compute_dual();
  planes_.sum(alpha_, v_);
  work_ += 3 * static_cast<double>(planes_.entries());
}

// P at w, or at the best multiple factor_ of w if slacks are squared or forbidden.
void InteriorPoint::compute_primal() {
  const SlackTerm& term = working_set_.slack_term();
  double squared_norm = 0;
  for (const double w : w_) squared_norm += w * w;
  factor_ = 1;
  primal_ = 0.5 * squared_norm;
  if (!term.is_linear()) {
    weight_scaling_.clear();
    for (std::size_t i = 0; i < slack_.size(); ++i) {
      const std::size_t begin = planes_.block_begin(i);
      const std::size_t count = planes_.block_end(i) - begin;
      weight_scaling_.add_block(planes_.b().subspan(begin, count),
                                std::span(product_).subspan(begin, count));
    }
    weight_scaling_.find_factor(term, squared_norm, working_set_.largest_b());
    factor_ = weight_scaling_.factor();
    primal_ = 0.5 * factor_ * factor_ * squared_norm + weight_scaling_.slack_cost();
    return;
  }
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    double xi = 0;
    for (std::size_t p = planes_.block_begin(i); p < planes_.block_end(i); ++p) {
      xi = std::max(xi, planes_.b(p) - product_[p]);
    }
    primal_ += term.cap * xi;
  }
}

// D of a feasible alpha, which it puts into scratch_. Each block is scaled to at most the cap.
// Without a cap alpha is scaled to the best D along its ray.
void InteriorPoint::compute_dual() {
  const SlackTerm& term = working_set_.slack_term();
  scratch_ = alpha_;
  double linear = 0;
  double quadratic = 0;
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    double alpha_sum = 0;
    for (std::size_t p = begin; p < end; ++p) alpha_sum += alpha_[p];
    const double factor = alpha_sum > term.cap ? term.cap / alpha_sum : 1;
    for (std::size_t p = begin; p < end; ++p) {
      scratch_[p] *= factor;
      linear += scratch_[p] * planes_.b(p);
    }
    quadratic += term.ridge * alpha_sum * alpha_sum;
  }
  planes_.sum(scratch_, v_);
  for (const Bound& bound : bounds_) v_[bound.column] = std::max(0.0, v_[bound.column]);
  for (const double v : v_) quadratic += v * v;
  dual_ = linear - 0.5 * quadratic;
  if (term.is_linear() || linear <= 0 || quadratic <= 0) return;
  dual_ = 0.5 * linear * linear / quadratic;
  for (double& alpha : scratch_) alpha *= linear / quadratic;
}

void InteriorPoint::keep_best() {
  if (primal_ < best_primal_) {
    best_primal_ = primal_;
    best_w_ = w_;
    for (double& w : best_w_) w *= factor_;
  }
  if (dual_ > best_dual_) {
    best_dual_ = dual_;
    best_alpha_ = scratch_;
  }
}

// Passes the result to newton_point_ and to the working set, and frees the memory.
void InteriorPoint::store_result(double tolerance) {
  planes_.to_weights(best_w_, newton_point_);
  work_ += matrix_.work_since_last_call() / multiplications_per_entry;
  if (!best_alpha_.empty()) store_alpha(tolerance);
  planes_.clear();
  matrix_.clear();
}

// Puts the best alpha into the working set, without small values left from earlier iterates if the
// tolerance allows it.
void InteriorPoint::store_alpha(double tolerance) {
  std::vector<std::vector<double>> alpha_before;
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    alpha_before.push_back(working_set_.block(i).alpha);
  }
  const double dual_before = working_set_.dual();
  scratch_ = best_alpha_;
  zero_small_alpha(scratch_);
  set_alpha(scratch_);
  const double loss = best_dual_ - working_set_.dual();
  const double gap = best_primal_ - best_dual_;
  const double max_loss = std::max({target_fraction * (tolerance - gap), idle_fraction * gap,
                                    rounding_fraction * working_set_.dual_magnitude()});
  if (loss > max_loss) set_alpha(best_alpha_);
  if (working_set_.dual() >= dual_before) return;
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    working_set_.block(i).alpha = std::move(alpha_before[static_cast<std::size_t>(i)]);
  }
  working_set_.refresh();
}

// Sets alpha to 0 where it is too small to matter.
void InteriorPoint::zero_small_alpha(std::vector<double>& alpha) const {
  const double largest_b = working_set_.largest_b();
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    double max_alpha = 0;
    for (std::size_t p = begin; p < end; ++p) max_alpha = std::max(max_alpha, alpha[p]);
    const double cap = working_set_.slack_term().cap;
    const double reference_alpha = std::isfinite(cap) ? cap : max_alpha;
    for (std::size_t p = begin; p < end; ++p) {
      if (alpha[p] * largest_b < idle_fraction * s_[p] * reference_alpha) alpha[p] = 0;
    }
  }
}

// Sets alpha of the planes that took part, and 0 for all others.
void InteriorPoint::set_alpha(std::span<const double> alpha) {
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    Block& block = working_set_.block(static_cast<std::int64_t>(i));
    std::fill(block.alpha.begin() + 1, block.alpha.end(), 0.0);
    for (std::size_t p = planes_.block_begin(i); p < planes_.block_end(i); ++p) {
      block.alpha[planes_.plane_index(p)] = alpha[p];
    }
    block.alpha[0] = std::max(0.0, working_set_.slack_term().cap - block.alpha_sum());
  }
  working_set_.refresh();
}

}  // namespace sculpt::core
