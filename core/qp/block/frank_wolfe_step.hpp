// frank_wolfe_step.hpp - the Frank-Wolfe step of one block, all other blocks fixed.
//
// Called by frank_wolfe. Moves all of the block's alpha towards the vertex of the plane p with the
// highest score, which may be the zero plane:
//
//   alpha <- alpha + gamma d,   d = cap e_p - alpha,   gamma = clip(gap / <d, G d>, 0, 1)
//
// with G the block's gram and gap = <d, score>, the block's part of P - D (BlockGap). The step is
// exact along d. It needs a linear cost of slacks: otherwise alpha has no vertices.
//
// Source: Lacoste-Julien, Jaggi, Schmidt & Pletscher, ICML 2013, Algorithm 4.
#pragma once

#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Requires a linear slack term, and the scores at the current alpha.
void frank_wolfe_step(Block& block, const SlackTerm& term, const std::vector<double>& score);

}  // namespace sculpt::core
