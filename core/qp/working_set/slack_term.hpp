// slack_term.hpp - what the slack of a block costs, and what that makes of its dual variables.
//
// Made by the solvers, the same for every block, read by everything in qp/. With A = sum of the
// block's alpha without that of plane 0:
//
//                price of a slack xi      in the dual               xi at the optimum
//   linear       cap xi                   A <= cap                  max of 0 and b - <w, a>
//   squared      1/2 xi^2 / ridge         - 1/2 ridge A^2           ridge A
//   forbidden    infinite                 nothing, A is free        0
#pragma once

#include <cmath>
#include <limits>

namespace sculpt::core {

struct SlackTerm {
  double cap = 0;    // infinite unless linear
  double ridge = 0;  // > 0: squared
  // Forbidden: no finite price exists, and a block's gap is measured with this one, the present sum
  // of all alpha: what a linear price would have to exceed for the same optimum.
  double reference_price = 0;

  // Requires price > 0.
  static SlackTerm linear(double price) { return {price, 0, 0}; }
  static SlackTerm squared(double price) {
    return {std::numeric_limits<double>::infinity(), 1 / price, 0};
  }
  static SlackTerm forbidden() { return {std::numeric_limits<double>::infinity(), 0, 0}; }

  bool is_linear() const { return std::isfinite(cap); }
  bool is_forbidden() const { return !is_linear() && ridge == 0; }

  // What it costs that a slack is larger by `excess`; where forbidden, at the reference price.
  double rise(double slack, double excess) const {
    if (is_linear()) return cap * excess;
    if (is_forbidden()) return reference_price * excess;
    return excess * (slack + 0.5 * excess) / ridge;
  }
};

}  // namespace sculpt::core
