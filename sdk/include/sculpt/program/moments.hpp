// moments.hpp - log Z, marginals and covariances of the derivations of a program, under
// p(derivation) ~ exp(score).
//
// SPDX-License-Identifier: Apache-2.0
//
//   log N(v) = log sum over the edges e into v of exp(score(e) + sum of log N(t))
//   q(e)     = exp(score(e) + sum of log N(t) - log N(v)),   the share of e among the edges into v
//   p(goal)  = 1,   p(e) = p(v) q(e),   p(t) += p(e) for each tail t of e
//
// So E[psi] = sum of p(e) psi(e). Only ratios and logarithms occur, so nothing overflows for any
// number of derivations. Dual numbers give the derivatives of p along a change of the scores,
// score(e) + s d(e), at the same cost:
//
//   dN(v) = sum of q(e) x(e),  x(e) = d(e) + sum of dN(t);     dq(e) = q(e) (x(e) - dN(v))
//   dp(e) = dp(v) q(e) + p(v) dq(e)
//
// With d(e) = <v, psi(e)> the sum of dp(e) psi(e) is Cov[psi] v. Sources: Li & Eisner, EMNLP 2009.
// Ricci, De Bie & Cristianini, JMLR 9 (2008): their recursions for single tasks are special cases.
// Used by oracle_session.hpp, sample.hpp and viterbi.
#pragma once

#include <cmath>

#include "program.hpp"

namespace sculpt::program {

template <Program P>
class Moments {
 public:
  // Returns log N(goal), `underivable` if the goal has no derivation.
  double log_z(const P& program) {
    const std::int64_t nodes = program.node_count();
    log_count_.resize(index(nodes));
    for (std::int64_t node = 0; node < nodes; ++node) {
      LogSum sum;
      program.each_edge(node,
                        [&](const typename P::Edge& edge) { sum.add(total(edge, log_count_)); });
      log_count_[index(node)] = sum.value();
    }
    return nodes == 0 ? underivable : log_count_.back();
  }

  // Calls visit(edge, p(edge)) for each edge that some derivation uses. Requires log_z() of the
  // same program, with a finite result.
  template <class Visit>
  void marginals(const P& program, Visit visit) {
    outside_pass(program, [&](std::int64_t node) {
      const double node_probability = probability_[index(node)];
      for (const Share& share : shares_) {
        const double p = node_probability * share.q;
        for (const std::int64_t tail : share.edge.tails()) probability_[index(tail)] += p;
        visit(share.edge, p);
      }
    });
  }

  // Calls visit(edge, dp(edge)): the derivative of p along direction(edge), d above. Requires the
  // same.
  template <class Direction, class Visit>
  void covariance(const P& program, Direction direction, Visit visit) {
    compute_slopes(program, direction);
    change_.assign(log_count_.size(), 0.0);
    outside_pass(program, [&](std::int64_t node) {
      const double node_probability = probability_[index(node)];
      const double node_change = change_[index(node)];
      for (const Share& share : shares_) {
        const double slope = slope_of(share.edge, direction) - slope_[index(node)];
        const double p = node_probability * share.q;
        const double change = node_change * share.q + p * slope;
        for (const std::int64_t tail : share.edge.tails()) {
          probability_[index(tail)] += p;
          change_[index(tail)] += change;
        }
        visit(share.edge, change);
      }
    });
  }

  // Returns q(edge) of the edges into a derivable node. Requires log_z().
  struct Share {
    typename P::Edge edge;
    double q;
  };
  const std::vector<Share>& shares(const P& program, std::int64_t node) {
    shares_.clear();
    double sum = 0;
    program.each_edge(node, [&](const typename P::Edge& edge) {
      const double q = std::exp(total(edge, log_count_) - log_count_[index(node)]);
      if (q > 0) shares_.push_back({edge, q}), sum += q;
    });
    // Rounding of log N multiplies all shares of a node by one factor. This normalizes them.
    for (Share& share : shares_) share.q /= sum;
    return shares_;
  }

 private:
  // The log of a sum of exponentials, with one exponential a term.
  class LogSum {
   public:
    void add(double x) {
      if (x <= largest_) {
        if (x != underivable) sum_ += std::exp(x - largest_);
      } else {
        sum_ = sum_ * std::exp(largest_ - x) + 1;
        largest_ = x;
      }
    }
    // NaN if a term was NaN.
    double value() const { return largest_ + (sum_ == 0 ? 0.0 : std::log(sum_)); }

   private:
    double largest_ = underivable;
    double sum_ = 0;
  };

  static std::size_t index(std::int64_t node) { return static_cast<std::size_t>(node); }

  // Calls visit(node), with shares_ set, for each node that a derivation of the goal uses. Heads
  // come before tails.
  template <class Visit>
  void outside_pass(const P& program, Visit visit) {
    probability_.assign(log_count_.size(), 0.0);
    probability_.back() = 1;
    for (std::int64_t node = program.node_count(); node-- > 0;) {
      if (probability_[index(node)] == 0) continue;
      shares(program, node);
      visit(node);
    }
  }

  template <class Direction>
  double slope_of(const typename P::Edge& edge, Direction& direction) const {
    double slope = direction(edge);
    for (const std::int64_t tail : edge.tails()) slope += slope_[index(tail)];
    return slope;
  }

  // Computes slope_ = dN, tails before heads.
  template <class Direction>
  void compute_slopes(const P& program, Direction& direction) {
    slope_.assign(log_count_.size(), 0.0);
    for (std::int64_t node = 0; node < program.node_count(); ++node) {
      if (log_count_[index(node)] == underivable) continue;
      double slope = 0;
      for (const Share& share : shares(program, node)) {
        slope += share.q * slope_of(share.edge, direction);
      }
      slope_[index(node)] = slope;
    }
  }

  std::vector<double> log_count_;    // log N, [node]
  std::vector<double> probability_;  // p, [node]
  std::vector<double> slope_;        // dN, [node]
  std::vector<double> change_;       // dp, [node]
  std::vector<Share> shares_;        // of the current node
};

}  // namespace sculpt::program
