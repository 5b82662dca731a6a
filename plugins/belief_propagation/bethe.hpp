// bethe.hpp - beliefs and log Z of sum-product messages.
//
//   b_v(k)   ~ exp(theta_v(k) + sum over the factors f around v of to_variable_{f,v}(k))
//   b_f(y_f) ~ exp(theta_f(y_f) + sum over the variables v of f of to_factor_{v,f}(y_v))
//   log Z    = sum over f of <b_f, theta_f> + H(b_f)
//              + sum over v of <b_v, theta_v> + (1 - d_v) H(b_v)
//
// with d_v the number of factors around v beside its own table, and H the entropy. Where the
// messages have converged this is the stationary value of Bethe: the exact log Z and marginals of a
// graph without cycles, else approximations. The beliefs are the gradient of log Z by theta.
// Source: Yedidia, Freeman & Weiss, IEEE Transactions on Information Theory 51 (2005).
#pragma once

#include "messages.hpp"

class BetheBeliefs {
 public:
  // Returns log Z, and sets mu[graph.theta_size] to the expected number of factors that use each
  // cell. Minus infinity, and no numbers, if every assignment is forbidden.
  double compute(const sculpt_factor_graph& graph, const double* theta, const MessageGraph& edges,
                 const Messages& messages, double* mu);

 private:
  void compute_variable(std::size_t v);
  void compute_factor(std::int64_t f);
  double add_belief(const double* table, double entropy_weight, double* mu);

  const double* theta_ = nullptr;
  const sculpt_factor_graph* graph_ = nullptr;
  const MessageGraph* edges_ = nullptr;
  const Messages* messages_ = nullptr;
  std::vector<double> belief_;       // logarithms, then probabilities; of one variable or factor
  std::vector<std::size_t> states_;  // current states, [scope of one factor]
};
