// triangle_program.hpp - the linear program over how much of each pair is together:
//
//   maximize     sum over the pairs of s_ij x_ij
//   subject to   0 <= x_ij <= 1
//                x_ij + x_jk - x_ik <= 1   for all i, j, k
//
// of which the last, a triangle, says that items which are both together with j are together.
// Partitions are the whole numbers among its points, so its maximum is an upper bound. Finley and
// Joachims, ICML 2005, section 4.2; Groetschel and Wakabayashi, Mathematical Programming 45, 1989.
//
// Triangles are added as they are broken, and leave when they no longer bind. Items that no chain
// of pairs with s > 0 joins are apart in a solution: each set of items that chains join, a
// component, has a program of its own.
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

  // Throws E_CANCELLED when the host asks to stop, E_INTERNAL where CLP fails. The solution depends
  // on the scores alone.
  void solve(const PairScores& scores, const Limits& limits, const sculpt::Host& host);

  // Whether no triangle is broken; else a limit was reached first, and the bound alone is worth
  // something.
  bool solved() const { return solved_; }
  // x. Where it is solved a point of the program, to rounding.
  const PairScores& together() const { return together_; }
  // No point of the program has a larger value, so no partition has: the dual value
  //
  //   sum over the triangles of u + sum over the pairs of max(0, s - what u takes of it)
  //
  // which holds for any prices u >= 0 of the triangles.
  double bound() const { return bound_; }

 private:
  class Component;
  void make_consistent(const sculpt::Host& host);

  PairScores together_;
  double bound_ = 0;
  bool solved_ = true;
};

}  // namespace clustering
