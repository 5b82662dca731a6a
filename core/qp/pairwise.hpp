// pairwise.hpp - exact steps between two planes of one block, all other blocks frozen.
//
// Called by Sweeps. The block's part of the dual is a quadratic over a simplex,
//
//   max  sum_p alpha_p b_p - 1/2 ||w_rest + sum_p alpha_p a_p||^2,  alpha >= 0, sum alpha = cap,
//
// its gradient is the scores, and a step delta from plane q to plane p gains
//
//   delta (score_p - score_q) - 1/2 delta^2 ||a_p - a_q||^2,        0 <= delta <= alpha_q.
//
// Source: Platt 1998 (sequential minimal optimization); the choice of q by its gain: Fan, Chen &
// Lin, JMLR 6 (2005), section 2.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/working_set.hpp"

namespace sculpt::core {

struct BlockGap {
  double gap = 0;    // cap max_p score_p - sum alpha score >= 0: what the block lacks to optimal
  double slack = 0;  // max of 0 and the scores
};

BlockGap block_gap(const Block& block, double cap, const std::vector<double>& score);

struct PairwiseSteps {
  double gain = 0;         // of the dual
  std::int64_t steps = 0;  // made; each costs two rows of the Gram matrix
  double gap = 0;          // left, as block_gap
};

// Steps until the block's gap is at most `tolerance`, rounding allows no further one, or max_steps
// were made. Keeps `score` up to date with alpha.
PairwiseSteps improve_block(Block& block, double cap, std::vector<double>& score, double tolerance,
                            std::int64_t max_steps);

}  // namespace sculpt::core
