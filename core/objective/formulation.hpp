// formulation.hpp - which structural SVM is solved: how the loss makes planes, what slacks cost.
//
// Read from the experiment. problem/ makes planes with plane_of(). The solvers and the certificate
// use slack_cost(). With H = b - <w, a> of the worst output and xi = max(0, H),
//
//   P(w) = 1/2 ||w||^2 + C/n sum_i c_i xi_i       norm 1
//   P(w) = 1/2 ||w||^2 + C/2n sum_i c_i xi_i^2    norm 2, with sqrt(Delta) for Delta
//   P(w) = 1/2 ||w||^2,  all xi_i = 0             hard margin, C infinite; for all i with c_i > 0
//
// c_i is the weight of example i, mostly 1. The planes of an example are multiplied by
// plane_weight(c_i), and so is its slack. Then the cost of the multiplied slack is c_i times the
// cost of xi_i. So solvers need no weights, except for what they report of single examples.
//
//   margin rescaling  a = dpsi,         b = Delta
//   slack  rescaling  a = Delta dpsi,   b = Delta;   hard margin: a = dpsi, b = 1 for Delta > 0
//
// Source: Tsochantaridis, Joachims, Hofmann & Altun, JMLR 6 (2005), section 2.2.
#pragma once

#include <cmath>
#include <cstdint>

namespace sculpt::core {

enum class Rescaling { margin, slack };

// a = factor * dpsi, b = offset
struct PlaneScale {
  double factor = 1;
  double offset = 0;
};

struct Formulation {
  Rescaling rescaling = Rescaling::margin;
  int slack_norm = 1;  // 1 or 2
  double C = 1;        // > 0; infinite: hard margin

  // The longest list of the k best outputs. For the search for the worst output, if one argmax is
  // not enough and there is no frontier.
  std::int64_t max_k_best = 100;

  bool is_hard_margin() const { return std::isinf(C); }
  bool squares_slacks() const { return slack_norm == 2 && !is_hard_margin(); }

  // The plane of an output with this loss. A factor of 0: it makes no constraint.
  PlaneScale plane_of(double loss) const {
    const double b = slack_norm == 2 ? std::sqrt(loss) : loss;
    if (rescaling == Rescaling::margin) return {1, b};
    if (loss == 0) return {0, 0};
    return is_hard_margin() ? PlaneScale{1, 1} : PlaneScale{b, b};
  }

  // b - <w, a> of an output with this loss. `score_difference`: its score minus that of the truth,
  // -<w, dpsi>.
  double violation(double loss, double score_difference) const {
    const PlaneScale scale = plane_of(loss);
    return scale.offset + scale.factor * score_difference;
  }

  // The factor of the planes and the slack of an example with this weight. 0: it has no planes.
  double plane_weight(double example_weight) const {
    if (is_hard_margin()) return example_weight > 0 ? 1 : 0;
    return squares_slacks() ? std::sqrt(example_weight) : example_weight;
  }

  // c_i xi_i of an example with this weight. `slack`: xi_i times plane_weight().
  double weighted_slack(double slack, double example_weight) const {
    return squares_slacks() ? std::sqrt(example_weight) * slack : slack;
  }

  // The cost of one slack, in units of C/n.
  double slack_cost(double slack) const { return squares_slacks() ? 0.5 * slack * slack : slack; }

  // The slack term of P: C times the mean cost. 0 if the mean cost is 0, also under hard margin.
  double slack_penalty(double mean_cost) const { return mean_cost > 0 ? C * mean_cost : 0; }

  // True if argmax <w, psi> + Delta finds the largest violation.
  bool needs_one_argmax() const { return rescaling == Rescaling::margin && slack_norm == 1; }
};

}  // namespace sculpt::core
