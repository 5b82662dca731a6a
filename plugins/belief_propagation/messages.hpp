// messages.hpp - what factors and variables tell each other in max-product, as logarithms.
//
//   told_{v,f}(k)  = theta_v(k) + sum over the other factors g around v of heard_{g,v}(k)
//   heard_{f,v}(k) = max over y_f with y_v = k of  theta_f(y_f) + sum over the others u of
//   told_{u,f}(y_u)
//
// less the largest heard, so that nothing grows. told is a fresh sum each time, nothing is taken
// out of a belief again: on a graph without cycles messages then come to a stop to the last bit,
// and forbidden states (minus infinity) make no NaN.
//
// Used by the session of belief_propagation.
#pragma once

#include "message_graph.hpp"

class Messages {
 public:
  // At the start: nothing heard, so that variables tell their own tables. Both live on.
  void begin(const sculpt_factor_graph& graph, const double* theta, const MessageGraph& edges);

  // What v hears from all factors around it, old and new mixed: damping * old + (1 - damping) *
  // new. Returns the largest difference between old and new.
  double hear(std::size_t v, double damping);
  // What v tells to all factors around it, by what it has heard.
  void tell(std::size_t v);

  // Labels one after the other, in the order of the edges: each the best, ties the smallest, by its
  // own table and what it hears once the variables before it tell of their label alone.
  void decode(std::span<std::int32_t> y);

 private:
  using Edge = MessageGraph::Edge;
  void compute(const Edge& to, const std::vector<double>& told, double* message);
  void compute_any(const Edge& to, const std::vector<double>& told, double* message);
  const double* unary(std::size_t v) const { return theta_ + graph_->table[v]; }

  const sculpt_factor_graph* graph_ = nullptr;
  const double* theta_ = nullptr;
  const MessageGraph* edges_ = nullptr;
  std::vector<double> heard_;        // [cells of the edges]
  std::vector<double> told_;         // the same
  std::vector<double> told_labels_;  // the same, of decode()
  std::vector<double> sum_;          // [states of one variable]
  std::vector<double> message_;      // the same
  std::vector<std::size_t> digits_;  // [scope of one factor]
};
