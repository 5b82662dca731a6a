// roof_duality.hpp - solves the linear program over the local polytope of a binary pairwise graph
// by one minimum cut.
//
//   score(y) = K - cost(y), where cost is a sum of nonnegative multiples of y_v, 1 - y_v and, for a
//   table p with lambda = p(0,0) + p(1,1) - p(0,1) - p(1,0),
//     lambda / 2 [y_a != y_b]    if lambda > 0,      -lambda / 2 [y_a = y_b]    if lambda < 0
//
// Each variable v becomes two nodes, one for y_v and one for 1 - y_v. Half of each cost is the
// capacity of an arc between them, half is that of the mirrored arc. The minimum cut is K minus the
// maximum of the program. Beliefs that attain it are 0, 1/2 or 1: a variable has the value on which
// its two nodes agree, else 1/2. A value 0 or 1 is the same in every best assignment (persistency).
// Boros & Hammer, Discrete Applied Mathematics 123 (2002). Kolmogorov & Rother, PAMI 29 (2007).
// Used by relaxation.cpp, and by branch_and_bound at each of its nodes.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/cpp/minimum_cut.hpp>

#include <array>
#include <vector>

class RoofDuality {
 public:
  // True for graphs it can solve: two states everywhere, no table over more than two variables.
  static bool can_solve(const sculpt_factor_graph& graph);

  // Returns the maximum of the program. fixed[v] is 0, 1, or -1 for a free variable; if `fixed` is
  // empty, all are free. Calls poll(), which may throw.
  template <class Poll>
  double solve(const sculpt_factor_graph& graph, const double* theta,
               std::span<const std::int32_t> fixed, Poll poll) {
    const double constant = write_network(graph, theta, fixed);
    const double cut = network_.solve(poll);
    for (std::size_t v = 0; v < belief_in_one_.size(); ++v) {
      if (is_free(fixed, v)) belief_in_one_[v] = cut_belief(static_cast<std::int32_t>(v));
    }
    return constant - cut;
  }

  // The belief in label 1 of each variable: 0, 1/2 or 1.
  const std::vector<double>& belief_in_one() const { return belief_in_one_; }

  // Returns the best beliefs of a table p[4] between variables with the beliefs a and b in label 1.
  static std::array<double, 4> best_pair_beliefs(const double* p, double a, double b);

 private:
  static bool is_free(std::span<const std::int32_t> fixed, std::size_t v) {
    return fixed.empty() || fixed[v] < 0;
  }
  double write_network(const sculpt_factor_graph& graph, const double* theta,
                       std::span<const std::int32_t> fixed);
  double add_pair(const double* p, std::int32_t a, std::int32_t b,
                  std::span<const std::int32_t> fixed);
  double cut_belief(std::int32_t v) const;

  sculpt::MinimumCut network_;
  std::vector<double> belief_in_one_;  // [variables]
  // The score of label 1 minus that of label 0, with a part of the tables, [variables].
  std::vector<double> gain_;
};
