// regularizer.hpp - the part of an objective that depends on w alone, and what it proves:
//
//   f(w) = 1/2 ||w||^2 + g ||w||_1,    w_j >= 0 where the problem demands it
//
// The other part of P is a convex function of w with the gradient -v(w). Fenchel's inequality gives
// a dual value for every distribution over the outputs. At the distribution of w itself it is
//
//   P(w) - D = f(w) + f*(v) - <w, v>,    f*(v) = 1/2 ||s||^2
//
//   s_j = sign(v_j) max(0, |v_j| - g),   or max(0, v_j - g) where w_j >= 0 is demanded
//
// For g = 0 without bounds this is 1/2 ||w - v||^2, half the squared norm of the gradient. Each
// coordinate adds a term >= 0, so no digits cancel. Source: Borwein & Lewis, Convex Analysis
// (2006), section 3.3.
//
// Called by LogLoss and the solvers that minimize it. Vectors are [dimension]. `gradient` is that
// of the smooth part of P: w - v.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class Regularizer {
 public:
  // `nonnegative`: [dimension] 1 where w_j >= 0 is demanded; empty: nowhere. It must outlive this,
  // as must the workers. nullptr: this thread alone.
  Regularizer(double l1, std::span<const std::uint8_t> nonnegative, Workers* workers)
      : l1_(l1), nonnegative_(nonnegative), workers_(workers) {}

  double l1() const { return l1_; }
  // True if f is differentiable everywhere: g = 0 and no bounds.
  bool is_smooth() const { return l1_ == 0 && nonnegative_.empty(); }
  bool is_bounded(std::size_t j) const { return !nonnegative_.empty() && nonnegative_[j] != 0; }

  double value(const Vector& w) const;  // f(w)
  // Returns P(w) - D at the distribution of w. >= 0.
  double gap(const Vector& w, const Vector& gradient) const;

 private:
  double gap_of(std::size_t j, double w, double gradient) const;

  double l1_;  // g
  std::span<const std::uint8_t> nonnegative_;
  Workers* workers_;
};

}  // namespace sculpt::core
