// pairwise_steps.hpp - exact steps between two planes of one block, all other blocks fixed.
//
// Called by BlockVisit and QpSolver. The block's part of the dual is a quadratic over a simplex. If
// slacks do not cost linearly, it is over the orthant:
//
//   max  sum_p alpha_p b_p - 1/2 ||w_rest + sum_p alpha_p a_p||^2 - 1/2 ridge A^2,  alpha >= 0,
//
// with sum alpha = cap, plane 0 included. Its gradient is the scores. A step delta from plane q to
// plane p gains
//
//   delta (score_p - score_q) - 1/2 delta^2 (g_pp + g_qq - 2 g_pq),      0 <= delta <= alpha_q,
//
// where g is the block's gram. In the orthant alpha_0 is infinite, so a step from or to plane 0
// changes only the other plane's alpha.
//
// Sources: Platt 1998 (sequential minimal optimization); Fan, Chen & Lin, JMLR 6 (2005), section 2:
// the choice of q by its gain.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// How far the block is from its optimum, at the current w. With xi = max(0, max_p b - <w, a>) and
// level = xi - ridge A, the largest possible score:
//
//   linear     gap = cap xi - sum alpha score
//   squared    gap = 1/2 xi^2 / ridge + 1/2 ridge A^2 - sum alpha (b - <w, a>)
//                  = 1/2 level^2 / ridge + sum alpha (level - score)
//   forbidden  gap = price xi + sum alpha (xi - score), an estimate: the price is the reference
//                    price, or the alpha that the most violated plane alone would get
struct BlockGap {
  double gap = 0;  // >= 0
  double slack = 0;
  double level = 0;
};

BlockGap block_gap(const Block& block, const SlackTerm& term, const std::vector<double>& score);

struct PairwiseSteps {
  double gain = 0;         // of the dual
  std::int64_t steps = 0;  // each costs two rows of the Gram matrix
  double gap = 0;          // after the steps, as block_gap()
};

// Makes steps until the block's gap is at most `tolerance`, until rounding allows no further step,
// or until max_steps were made. Updates `score` with alpha.
PairwiseSteps improve_block(Block& block, const SlackTerm& term, std::vector<double>& score,
                            double tolerance, std::int64_t max_steps);

}  // namespace sculpt::core
