// pairwise_steps.hpp - exact steps between two planes of one block, all other blocks frozen.
//
// Called by QpSolver. The block's part of the dual is a quadratic over a simplex, or over the
// orthant where slacks do not cost linearly,
//
//   max  sum_p alpha_p b_p - 1/2 ||w_rest + sum_p alpha_p a_p||^2 - 1/2 ridge A^2,  alpha >= 0,
//
// with sum alpha = cap, plane 0 included. Its gradient is the scores, and a step delta from plane q
// to plane p gains
//
//   delta (score_p - score_q) - 1/2 delta^2 (g_pp + g_qq - 2 g_pq),      0 <= delta <= alpha_q,
//
// where g is the block's gram. In the orthant alpha_0 is infinite: a step from or to plane 0
// changes the other plane's alpha alone.
//
// Source: Platt 1998 (sequential minimal optimization); the choice of q by its gain: Fan, Chen &
// Lin, JMLR 6 (2005), section 2.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// What the block lacks to its optimum, at the present w. With xi = max(0, max_p b - <w, a>) and
// level = xi - ridge A, the largest score there may be:
//
//   linear     gap = cap xi - sum alpha score
//   squared    gap = 1/2 xi^2 / ridge + 1/2 ridge A^2 - sum alpha (b - <w, a>)
//                  = 1/2 level^2 / ridge + sum alpha (level - score)
//   forbidden  gap = price xi + sum alpha (xi - score), an estimate: the price is the reference
//                    price, or what alpha of the most violated plane alone would become
struct BlockGap {
  double gap = 0;  // >= 0
  double slack = 0;
  double level = 0;
};

BlockGap block_gap(const Block& block, const SlackTerm& term, const std::vector<double>& score);

struct PairwiseSteps {
  double gain = 0;         // of the dual
  std::int64_t steps = 0;  // made; each costs two rows of the Gram matrix
  double gap = 0;          // left, as block_gap
};

// Steps until the block's gap is at most `tolerance`, rounding allows no further one, or max_steps
// were made. Keeps `score` up to date with alpha.
PairwiseSteps improve_block(Block& block, const SlackTerm& term, std::vector<double>& score,
                            double tolerance, std::int64_t max_steps);

}  // namespace sculpt::core
