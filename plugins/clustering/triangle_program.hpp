// triangle_program.hpp - the linear program over the share x_ij of each pair that is together:
//
//   maximize     sum over the pairs of s_ij x_ij
//   subject to   0 <= x_ij <= 1
//                x_ij + x_jk - x_ik <= 1   for all i, j, k
//
// The last constraint is a triangle inequality: if i and k are both together with j, they are
// together. The integral points are the partitions, so the maximum is an upper bound. Finley and
// Joachims, ICML 2005, section 4.2. Groetschel and Wakabayashi, Mathematical Programming 45, 1989.
//
// Triangles are added if they are violated, and removed if they no longer bind. A component is a
// set of items joined by chains of pairs with s > 0. Different components are apart in a solution,
// so each has its own program. Called by clustering_lp.cpp.
#pragma once

#include <sculpt/cpp/host.hpp>
#include <vector>

#include "pair_scores.hpp"

namespace clustering {

class TriangleProgram {
 public:
  struct Limits {
    std::int64_t rounds;     // of adding triangles, for each component
    std::int64_t triangles;  // in one program
  };

  // Throws E_CANCELLED if the host asks to stop, and E_INTERNAL if CLP fails. The solution depends
  // on the scores alone.
  void solve(const PairScores& scores, const Limits& limits, const sculpt::Host& host);

  // True if no triangle is violated. Otherwise a limit ended the rounds, and only the bound is
  // meaningful.
  bool is_solved() const { return is_solved_; }
  // Returns x: a feasible point up to rounding if is_solved().
  const PairScores& link_values() const { return link_values_; }
  // Returns an upper bound of all points of the program, hence of all partitions: the dual value
  //
  //   sum over the triangles of u + sum over the pairs of max(0, s - the share of u in the pair)
  //
  // which holds for any multipliers u >= 0 of the triangles.
  double bound() const { return bound_; }

 private:
  class Component;
  // Moves x to a point that satisfies all triangles.
  void remove_violations(const sculpt::Host& host);

  PairScores link_values_;
  double bound_ = 0;
  bool is_solved_ = true;
};

}  // namespace clustering
