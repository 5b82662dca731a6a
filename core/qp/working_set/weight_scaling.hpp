// weight_scaling.hpp - the best multiple of w for the planes of a working set.
//
// Called by QpSolver. The w of an unfinished QP may violate planes by little that costs much, or
// that forbidden slacks do not allow at all, while a slightly longer w satisfies them:
//
//   linear     min over s of  1/2 s^2 ||w||^2 + cap sum_i xi_i(s)
//   squared    min over s of  1/2 s^2 ||w||^2 + 1/(2 ridge) sum_i xi_i(s)^2
//   forbidden  the least s with xi_i(s) = 0 for all i,    xi_i(s) = max(0, max_p b_p - s <w, a_p>)
//
// All are P over the planes of the working set at s w, so that D <= P(s w) for every s.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// A plane counts as satisfied, where slacks are forbidden, when it is violated by no more than this
// part of the largest b: the rounding of <w, a>, and of the oracle's sums.
constexpr double satisfied_within = 1e-9;

class WeightScaling {
 public:
  // Starts anew at this w, which is frozen until find().
  void clear();

  // The planes of the next block: b and <w, a> of each, without the zero plane.
  void add_block(std::span<const double> b, std::span<const double> product);
  // The same from their scores at w = sum alpha a.
  void add_block(const Block& block, const SlackTerm& term, const std::vector<double>& score);

  // Requires all blocks. Never fails: where no s satisfies all planes, slack() tells.
  void find(const SlackTerm& term, double squared_norm, double largest_b);

  double factor() const { return factor_; }                    // s
  const std::vector<double>& slack() const { return slack_; }  // [blocks] xi_i(s)
  // 1, or to what it was in an earlier run.
  void set_factor(double factor) { factor_ = factor; }
  double slack_cost() const { return slack_cost_; }  // at s; infinite when forbidden ones remain

 private:
  double least_satisfying() const;
  double cheapest(double squared_norm, const SlackTerm& term) const;
  double slack_of(std::size_t block, double factor, double* product) const;

  std::vector<double> b_, product_;      // of all planes, block after block; product: <w, a>
  std::vector<std::size_t> block_ends_;  // [blocks]
  std::vector<double> slack_;            // [blocks]
  double factor_ = 1;
  double slack_cost_ = 0;
};

}  // namespace sculpt::core
