#include "solver/moments/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// Below this fraction of ||c|| the r of the steps says nothing of c - A x.
constexpr double least_residual = 1e-15;

// lambda = 0: A is singular along a direction with this fraction of the largest curvature.
constexpr double singular_curvature = 1e-14;

// c - A x may differ from the r of the steps by this fraction of its terms. Oracles may work in
// single precision.
constexpr double linear_tolerance = 1e-6;

}  // namespace

void ConjugateGradients::begin(const Vector& c) {
  c_ = r_ = c;
  x_.assign(c.size(), 0.0);
  squared_c_ = dot_in_blocks(source_.workers(), c_, c_);
  known_.solve(x_, r_);
  squared_r_ = dot_in_blocks(source_.workers(), r_, r_);
  p_ = r_;
  known_.make_conjugate(p_);
  is_confirmed_ = known_.is_empty();
  is_stuck_ = false;
  least_confirmed_ = infinity;
}

bool ConjugateGradients::advance(double target, const Product& multiply) {
  const bool is_small = has_small_residual(std::max(target, least_residual));
  return !is_confirmed_ && is_small ? confirm_residual(target, multiply) : step(multiply);
}

bool ConjugateGradients::step(const Product& multiply) {
  if (!multiply(p_, product_)) return false;
  Workers* const workers = source_.workers();
  const double squared_p = dot_in_blocks(workers, p_, p_);
  const double curvature = dot_in_blocks(workers, p_, product_);
  largest_curvature_ = std::max(largest_curvature_, curvature / squared_p);
  const double least = lambda_ > 0 ? lambda_ / 2 : singular_curvature * largest_curvature_;
  if (!(curvature > least * squared_p) || !std::isfinite(curvature)) {
    is_stuck_ = true;
    return true;
  }
  known_.add(p_, product_, curvature);
  const double alpha = dot_in_blocks(workers, p_, r_) / curvature;
  const double squared_r = sum_over_blocks(workers, x_.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      x_[j] += alpha * p_[j];
      r_[j] -= alpha * product_[j];
      sum += r_[j] * r_[j];
    }
    return sum;
  });
  const double beta = squared_r / squared_r_;
  for_each_block(workers, x_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) p_[j] = r_[j] + beta * p_[j];
  });
  known_.make_conjugate(p_);
  squared_r_ = squared_r;
  is_confirmed_ = false;
  return true;
}

// r = c - A x, from a new product.
bool ConjugateGradients::confirm_residual(double target, const Product& multiply) {
  if (!multiply(x_, product_)) return false;
  Workers* const workers = source_.workers();
  const double squared_change = sum_over_blocks(workers, x_.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      const double r = c_[j] - product_[j];
      sum += (r - r_[j]) * (r - r_[j]);
      r_[j] = r;
    }
    return sum;
  });
  squared_r_ = dot_in_blocks(workers, r_, r_);
  is_confirmed_ = true;
  is_stuck_ = squared_r_ > 0.25 * least_confirmed_;
  least_confirmed_ = std::min(least_confirmed_, squared_r_);
  require_linear(std::sqrt(squared_change));
  if (!has_small_residual(target) && !known_.is_empty()) {
    // The steps to come are conjugate to the known directions, and leave what r has along them.
    known_.solve(x_, r_);
    squared_r_ = dot_in_blocks(workers, r_, r_);
    is_confirmed_ = false;
  }
  p_ = r_;
  known_.make_conjugate(p_);
  return true;
}

// The r of the steps and c - A x differ by `change`.
void ConjugateGradients::require_linear(double change) const {
  const double terms = std::sqrt(squared_c_) +
                       largest_curvature_ * std::sqrt(dot_in_blocks(source_.workers(), x_, x_));
  if (change <= linear_tolerance * terms) return;
  source_.report_contradiction(
      -1,
      "its Cov[psi] v is not linear in v: at the sum of all steps it differs from the sum of "
      "their products, by " +
          number_text(change / std::sqrt(squared_c_)) + " times ||b||");
}

bool ConjugateGradients::has_small_residual(double target) const {
  return squared_r_ <= target * target * squared_c_;
}

double ConjugateGradients::residual() const {
  return squared_r_ == 0 ? 0 : std::sqrt(squared_r_ / squared_c_);
}

void ConjugateGradients::save(StateWriter& out) const {
  out.put(is_confirmed_);
  out.put(is_stuck_);
  out.put(least_confirmed_);
  out.put(largest_curvature_);
  out.put(squared_r_);
  for (const Vector* const vector : {&c_, &x_, &r_, &p_}) out.put_array(*vector);
}

void ConjugateGradients::load(StateReader& in, std::size_t dimension) {
  is_confirmed_ = in.get_flag();
  is_stuck_ = in.get_flag();
  for (double* const value : {&least_confirmed_, &largest_curvature_, &squared_r_}) {
    *value = in.get<double>();
    in.require(*value >= 0, "a square that is negative or no number");
  }
  for (Vector* const vector : {&c_, &x_, &r_, &p_}) {
    in.get_array(*vector);
    in.require(vector->size() == dimension, "a vector of another dimension");
  }
  squared_c_ = dot_in_blocks(source_.workers(), c_, c_);
}

void ConjugateGradients::save_known(StateWriter& out) const {
  out.put(largest_curvature_);
  known_.save(out);
}

void ConjugateGradients::load_known(StateReader& in, std::size_t dimension) {
  largest_curvature_ = in.get<double>();
  in.require(largest_curvature_ >= 0, "a curvature that is negative or no number");
  known_.load(in, dimension);
}

}  // namespace sculpt::core
