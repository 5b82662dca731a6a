// block_face.hpp - the exact optimum of one block on the planes with alpha > 0.
//
// Called by improve_block() if pairwise steps alone are slow. The joint planes of one_slack are
// many and nearly parallel, so steps between two of them converge slowly. On the face where alpha
// is positive the block's dual is a quadratic without constraints. One linear system from the Gram
// matrix gives its optimum:
//
//   max  <score, d> - 1/2 d' gram d,   d_p = 0 where alpha_p = 0,   sum of d = 0
//
// If slacks do not cost linearly, alpha_0 is infinite and the sum of d is free. If the end point
// has a negative alpha, the step stops where the first alpha becomes 0. That plane leaves the face.
//
// Source: Wolfe, Mathematical Programming 11 (1976), the minor cycle of his algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class BlockFace {
 public:
  struct Outcome {
    double gain = 0;  // of the dual
    double work = 0;  // numbers touched
  };

  // Moves alpha to the optimum of the face. Planes may leave the face. Updates `score` with alpha.
  Outcome ascend(Block& block, const SlackTerm& term, std::vector<double>& score);

 private:
  void collect_planes(const Block& block);
  std::size_t free_count() const;
  double factorize(const Block& block);
  void solve(const std::vector<double>& score);
  double longest_step(const Block& block, std::size_t& leaving_plane) const;
  double move_alpha(Block& block, double length, std::size_t leaving_plane,
                    std::vector<double>& score);
  void restore_sum(Block& block, double target_sum) const;

  bool is_sum_fixed_ = false;        // the sum of alpha, plane 0 included
  std::vector<std::size_t> planes_;  // the planes of the face
  std::vector<double> factor_;       // [free_count()][free_count()] lower triangle, row after row
  std::vector<double> direction_;    // [planes] d
  std::vector<double> change_;       // [block size] gram d
};

}  // namespace sculpt::core
