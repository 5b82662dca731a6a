// newton_step.cpp - the direction of a Newton step, by elimination down to w.
//
// With q = alpha / s, and for each block tau = u / xi (linear), 1 / ridge (squared), infinite
// (forbidden):
//
//   alpha_change = t - q (<a, w_change> + xi_change),   t = q r_s - complement / s
//   xi_change    = (e - sum q <a, w_change>) / (tau + sum q)
//   M w_change   = -r_w + sum (t - q e / (tau + sum q)) a - complement_j / w_j
//
// with e = sum t - complement_xi / xi - r_xi and the residuals of the linear equations
//
//   r_w  = w - sum alpha a - beta,   r_s = s - (<w, a> + xi - b)
//   r_xi = cap - sum alpha - u (linear),   xi / ridge - sum alpha (squared)

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "qp/interior/interior_point.hpp"

namespace sculpt::core {

// Computes q of the planes and factorizes M.
bool InteriorPoint::factorize() {
  const SlackTerm& term = working_set_.slack_term();
  std::vector<double> diagonal(planes_.columns(), 1.0);
  for (const Bound& bound : bounds_) diagonal[bound.column] += bound.beta / w_[bound.column];
  matrix_.set_diagonal(diagonal);
  for (std::size_t p = 0; p < q_.size(); ++p) q_[p] = alpha_[p] / s_[p];
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    Slack& slack = slack_[i];
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    slack.weight = term.is_linear()      ? slack.u / slack.xi
                   : term.is_forbidden() ? infinity
                                         : 1 / term.ridge;
    slack.total = slack.weight;
    for (std::size_t p = begin; p < end; ++p) slack.total += q_[p];
    matrix_.add_block(planes_, begin, end, q_, slack.weight);
  }
  return matrix_.factorize();
}

// Returns the sum of all products of a slack and its multiplier, after a step of this length.
double InteriorPoint::complementarity(double length) const {
  double sum = 0;
  for (std::size_t p = 0; p < s_.size(); ++p) {
    sum += (s_[p] + length * s_change_[p]) * (alpha_[p] + length * alpha_change_[p]);
  }
  if (working_set_.slack_term().is_linear()) {
    for (const Slack& slack : slack_) {
      sum += (slack.xi + length * slack.xi_change) * (slack.u + length * slack.u_change);
    }
  }
  for (const Bound& bound : bounds_) {
    sum += (w_[bound.column] + length * w_change_[bound.column]) *
           (bound.beta + length * bound.beta_change);
  }
  return sum;
}

// Sets the target of all products to 0.
void InteriorPoint::set_predictor_target() {
  for (std::size_t p = 0; p < s_.size(); ++p) complement_[p] = s_[p] * alpha_[p];
  for (Slack& slack : slack_) slack.complement = slack.xi * slack.u;
  for (Bound& bound : bounds_) bound.complement = w_[bound.column] * bound.beta;
}

// The target of all products, with the second-order term of the last direction.
void InteriorPoint::set_corrector_target(double target) {
  for (std::size_t p = 0; p < s_.size(); ++p) {
    complement_[p] = s_[p] * alpha_[p] + s_change_[p] * alpha_change_[p] - target;
  }
  for (Slack& slack : slack_) {
    slack.complement = slack.xi * slack.u + slack.xi_change * slack.u_change - target;
  }
  for (Bound& bound : bounds_) {
    bound.complement =
        w_[bound.column] * bound.beta + w_change_[bound.column] * bound.beta_change - target;
  }
}

// right_ becomes t, w_change_ the right side, and scratch_ the part of each plane in it.
void InteriorPoint::find_right_side() {
  const SlackTerm& term = working_set_.slack_term();
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    Slack& slack = slack_[i];
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    double alpha_sum = 0;
    slack.right = 0;
    for (std::size_t p = begin; p < end; ++p) {
      const double r_s = s_[p] - (product_[p] + slack.xi - planes_.b(p));
      right_[p] = q_[p] * r_s - complement_[p] / s_[p];
      slack.right += right_[p];
      alpha_sum += alpha_[p];
    }
    if (term.is_forbidden()) continue;
    slack.right -= term.is_linear() ? term.cap - alpha_sum - slack.u + slack.complement / slack.xi
                                    : slack.xi / term.ridge - alpha_sum;
  }
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    const double quotient = term.is_forbidden() ? 0 : slack_[i].right / slack_[i].total;
    for (std::size_t p = planes_.block_begin(i); p < planes_.block_end(i); ++p) {
      scratch_[p] = right_[p] - q_[p] * quotient;
    }
  }
  planes_.sum(scratch_, w_change_);
  for (std::size_t j = 0; j < w_.size(); ++j) w_change_[j] += v_[j] - w_[j];
  for (const Bound& bound : bounds_) {
    w_change_[bound.column] += bound.beta - bound.complement / w_[bound.column];
  }
}

// Sets all changes: solves for w_change_, then the slacks and multipliers by the equations above.
void InteriorPoint::find_direction() {
  const SlackTerm& term = working_set_.slack_term();
  find_right_side();
  matrix_.solve(w_change_);
  planes_.multiply(w_change_, product_change_);
  work_ += 2 * static_cast<double>(planes_.entries());
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    Slack& slack = slack_[i];
    const std::size_t begin = planes_.block_begin(i);
    const std::size_t end = planes_.block_end(i);
    if (!term.is_forbidden()) {
      double sum = slack.right;
      for (std::size_t p = begin; p < end; ++p) sum -= q_[p] * product_change_[p];
      slack.xi_change = sum / slack.total;
    }
    if (term.is_linear()) {
      slack.u_change = -slack.complement / slack.xi - slack.weight * slack.xi_change;
    }
    for (std::size_t p = begin; p < end; ++p) {
      const double moved = product_change_[p] + slack.xi_change;
      alpha_change_[p] = right_[p] - q_[p] * moved;
      s_change_[p] = moved - (s_[p] - (product_[p] + slack.xi - planes_.b(p)));
    }
  }
  for (Bound& bound : bounds_) {
    bound.beta_change =
        -(bound.complement + bound.beta * w_change_[bound.column]) / w_[bound.column];
  }
}

// The step to where the first slack or multiplier reaches 0, at most 1.
double InteriorPoint::longest_step() const {
  double length = 1;
  const auto reach = [&length](double value, double change) {
    if (change < 0) length = std::min(length, value / -change);
  };
  for (std::size_t p = 0; p < s_.size(); ++p) {
    reach(s_[p], s_change_[p]);
    reach(alpha_[p], alpha_change_[p]);
  }
  if (working_set_.slack_term().is_linear()) {
    for (const Slack& slack : slack_) {
      reach(slack.xi, slack.xi_change);
      reach(slack.u, slack.u_change);
    }
  }
  for (const Bound& bound : bounds_) {
    reach(w_[bound.column], w_change_[bound.column]);
    reach(bound.beta, bound.beta_change);
  }
  return length;
}

void InteriorPoint::take_step(double length) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += length * w_change_[j];
  for (std::size_t p = 0; p < s_.size(); ++p) {
    s_[p] += length * s_change_[p];
    alpha_[p] += length * alpha_change_[p];
  }
  for (Slack& slack : slack_) {
    slack.xi += length * slack.xi_change;
    slack.u += length * slack.u_change;
  }
  for (Bound& bound : bounds_) bound.beta += length * bound.beta_change;
}

}  // namespace sculpt::core
