// weight_scaling.hpp - the best multiple of w for the planes of a working set.
//
// Called by QpSolver and InteriorPoint. The w of an unfinished QP may violate planes a little. That
// may cost much, or violate forbidden slacks, while a slightly longer w satisfies the planes:
//
//   linear     min over s of  1/2 s^2 ||w||^2 + cap sum_i xi_i(s)
//   squared    min over s of  1/2 s^2 ||w||^2 + 1/(2 ridge) sum_i xi_i(s)^2
//   forbidden  the least s with xi_i(s) = 0 for all i,    xi_i(s) = max(0, max_p b_p - s <w, a_p>)
//
// Each is P over the planes of the working set at s w, so D <= P(s w) for every s.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// If slacks are forbidden, a plane counts as satisfied if its violation is at most this fraction of
// the largest b. It covers the rounding of <w, a> and of the oracle's sums.
constexpr double satisfied_tolerance = 1e-9;

class WeightScaling {
 public:
  // Starts again at this w, which must not change until find_factor().
  void clear();

  // Adds the planes of the next block: b and <w, a> of each, without the zero plane.
  void add_block(std::span<const double> b, std::span<const double> product);
  // The same, from the scores at w = sum alpha a.
  void add_block(const Block& block, const SlackTerm& term, const std::vector<double>& score);

  // Finds s. Requires that all blocks were added. Never fails: if slacks are forbidden and no s
  // satisfies all planes, slack() is positive for some block.
  void find_factor(const SlackTerm& term, double squared_norm, double largest_b);

  double factor() const { return factor_; }                    // s
  const std::vector<double>& slack() const { return slack_; }  // [blocks] xi_i(s)
  // Sets s to 1, or to its value in an earlier run.
  void set_factor(double factor) { factor_ = factor; }
  double slack_cost() const { return slack_cost_; }  // at s; infinite if forbidden slacks remain

 private:
  double min_satisfying_factor() const;
  double min_cost_factor(double squared_norm, const SlackTerm& term) const;
  double slack_of(std::size_t block, double factor, double* product) const;

  std::vector<double> b_, product_;      // of all planes, block after block; product_: <w, a>
  std::vector<std::size_t> block_ends_;  // [blocks]
  std::vector<double> slack_;            // [blocks]
  double factor_ = 1;
  double slack_cost_ = 0;
};

}  // namespace sculpt::core
