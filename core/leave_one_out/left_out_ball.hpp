// left_out_ball.hpp - a ball that contains the solution without example i, from the solution with
// all examples.
//
//   w    = sum alpha a, the weights of the run, with gap = P(w) - D(alpha)
//   w_i  the part of w from the planes of example i
//   w'   the optimum of P_i, the objective without the slack of i
//
// Without the block of i, alpha is feasible for the dual D_i, and its weights are w - w_i. Both
// objectives are strongly convex (concave) with modulus 1 in the weights, so
//
//   1/2 |w - w'|^2 + 1/2 |w - w_i - w'|^2 <= P_i(w) - D_i(alpha)
//                                          = gap - gap_i + 1/2 |w_i|^2
//
// where gap_i = cost(xi_i) - sum over the block of alpha (b - <w, a>) (+ the ridge term of norm 2)
// is the gap of the block. With the midpoint m = w - w_i / 2 the left side is |m - w'|^2 + 1/4
// |w_i|^2. Therefore
//
//   |w' - (w - w_i / 2)|^2 <= 1/4 |w_i|^2 + gap - gap_i
//
// If alpha is 0 in the block, w_i = 0, and the ball is that of the gap around w.
#pragma once

#include <cstdint>
#include <vector>

#include "leave_one_out/output_margins.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

struct LeftOutBall {
  SparseVector shift;  // w_i / 2; empty if alpha is 0 in the block
  double radius = 0;
};

// A certificate of the run at w, with what each block contributes.
struct BlockGaps {
  double gap = 0;                // P - D at w, with rounding
  std::vector<double> of_block;  // [n] gap_i >= 0
};

// `slack`: [n] an upper bound of xi_i at w, of each example. Requires refresh() of the planes.
BlockGaps block_gaps(const WorkingSet& planes, const std::vector<double>& slack);

// Requires planes without bounds of weights, unless alpha is 0 in the block.
LeftOutBall ball_without(std::int64_t example, const WorkingSet& planes, const BlockGaps& gaps,
                         const ExampleProduct& product);

}  // namespace sculpt::core
