// messages.hpp - the messages between factors and variables in max-product or sum-product, as
// logarithms.
//
//   to_factor_{v,f}(k)   = theta_v(k) + sum over the other factors g around v
//                          of to_variable_{g,v}(k)
//   to_variable_{f,v}(k) = max over y_f with y_v = k of theta_f(y_f)
//                          + sum over the other variables u of f of to_factor_{u,f}(y_u)
//
// Sum-product has log sum exp in place of max.
//
// The largest entry of to_variable is subtracted, so that messages stay bounded. to_factor is a
// fresh sum each time; nothing is subtracted from a belief. So messages converge to the last bit on
// graphs without cycles, and forbidden states (minus infinity) make no NaN.
//
// Used by the session in belief_propagation.cpp.
#pragma once

#include "log_sum.hpp"
#include "message_graph.hpp"

// How the scores of the states of other variables are combined.
enum class Combine { max, log_sum };

class Messages {
 public:
  // Starts with to_variable = 0, so that variables send their own tables. All three arguments must
  // outlive this object.
  void begin(const sculpt_factor_graph& graph, const double* theta, const MessageGraph& edges,
             Combine combine);

  // Updates the messages to v from all its factors: damping * old + (1 - damping) * new. Returns
  // the largest difference between old and new.
  double update_to_variable(std::size_t v, double damping);
  // Updates the messages from v to all its factors, from the messages to v.
  void update_to_factors(std::size_t v);

  // Assigns labels one variable at a time, in MessageGraph::order(). Each variable gets the best
  // label, ties the smallest. The score is its table plus its messages, given the labels of the
  // earlier variables.
  void decode(std::span<std::int32_t> y);

  // The messages along an edge, [states of its variable].
  const double* to_factor(const MessageGraph::Edge& edge) const {
    return to_factor_.data() + edge.first_cell;
  }
  const double* to_variable(const MessageGraph::Edge& edge) const {
    return to_variable_.data() + edge.first_cell;
  }

 private:
  using Edge = MessageGraph::Edge;
  void compute_message(const Edge& target, const std::vector<double>& to_factor, double* message);
  void compute_general_message(const Edge& target, const std::vector<double>& to_factor,
                               double* message);
  const double* unary(std::size_t v) const { return theta_ + graph_->table[v]; }

  const sculpt_factor_graph* graph_ = nullptr;
  const double* theta_ = nullptr;
  const MessageGraph* edges_ = nullptr;
  Combine combine_ = Combine::max;
  std::vector<double> to_variable_;        // Factors to variables, [cells of the edges].
  std::vector<double> to_factor_;          // Variables to factors, same size.
  std::vector<double> decoded_to_factor_;  // The same for decode().
  std::vector<double> sum_;                // [states of one variable]
  std::vector<double> message_;            // [states of one variable]
  std::vector<LogSum> log_sums_;           // [states of one variable]
  std::vector<std::size_t> states_;        // Current states, [scope of one factor].
};
