// slack_term.hpp - the cost of a block's slack, and its effect on the dual variables.
//
// Made by the solvers, the same for every block. Used everywhere in qp/. A is the sum of a block's
// alpha without plane 0.
//
//                price of a slack xi      in the dual               xi at the optimum
//   linear       cap xi                   A <= cap                  max of 0 and b - <w, a>
//   squared      1/2 xi^2 / ridge         - 1/2 ridge A^2           ridge A
//   forbidden    infinite                 nothing, A is free        0
#pragma once

#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {

struct SlackTerm {
  double cap = 0;    // infinite unless linear
  double ridge = 0;  // > 0: squared
  // Forbidden: there is no finite price, and a block's gap is measured with this one. It is the
  // current sum of all alpha. A linear price would have to exceed it to give the same optimum.
  double reference_price = 0;

  // Requires price > 0.
  static SlackTerm linear(double price) { return {price, 0, 0}; }
  static SlackTerm squared(double price) { return {infinity, 1 / price, 0}; }
  static SlackTerm forbidden() { return {infinity, 0, 0}; }

  bool is_linear() const { return std::isfinite(cap); }
  bool is_forbidden() const { return !is_linear() && ridge == 0; }

  // The additional cost if a slack grows by `increase`. If forbidden: at the reference price.
  double cost_increase(double slack, double increase) const {
    if (is_linear()) return cap * increase;
    if (is_forbidden()) return reference_price * increase;
    return increase * (slack + 0.5 * increase) / ridge;
  }
};

}  // namespace sculpt::core
