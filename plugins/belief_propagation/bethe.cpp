#include "bethe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

double BetheBeliefs::compute(const sculpt_factor_graph& graph, const double* theta,
                             const MessageGraph& edges, const Messages& messages, double* mu) {
  graph_ = &graph;
  theta_ = theta;
  edges_ = &edges;
  messages_ = &messages;
  std::fill_n(mu, graph.theta_size, 0.0);
  double log_z = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const bool is_unary = f < graph.variable_count;  // the table of a variable
    const auto v = static_cast<std::size_t>(f);
    if (is_unary) {
      compute_variable(v);
    } else {
      compute_factor(f);
    }
    const double other_factors =
        is_unary ? static_cast<double>(edges.edges_of_variable(v).size()) : 0;
    log_z += add_belief(theta + graph.table[f], 1 - other_factors, mu + graph.table[f]);
  }
  return log_z;
}

void BetheBeliefs::compute_variable(std::size_t v) {
  const double* const table = theta_ + graph_->table[v];
  belief_.assign(table, table + graph_->states[v]);
  for (const std::size_t e : edges_->edges_of_variable(v)) {
    const double* const message = messages_->to_variable(edges_->edges()[e]);
    for (std::size_t k = 0; k < belief_.size(); ++k) belief_[k] += message[k];
  }
}

// Visits all cells, the last variable of the scope fastest. Without variables there is one cell.
void BetheBeliefs::compute_factor(std::int64_t f) {
  const auto scope = edges_->edges_of_factor(f);
  states_.assign(scope.size(), 0);
  belief_.clear();
  const double* cell = theta_ + graph_->table[f];
  for (std::size_t last_changed = 1; last_changed > 0; ++cell) {
    double sum = *cell;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      sum += messages_->to_factor(scope[i])[states_[i]];
    }
    belief_.push_back(sum);
    for (last_changed = scope.size(); last_changed > 0; --last_changed) {
      if (++states_[last_changed - 1] < scope[last_changed - 1].states) break;
      states_[last_changed - 1] = 0;
    }
  }
}

// Turns the logarithms in belief_ into probabilities, and adds them to mu. Returns <b, theta> +
// entropy_weight H(b).
double BetheBeliefs::add_belief(const double* table, double entropy_weight, double* mu) {
  const double largest = *std::max_element(belief_.begin(), belief_.end());
  if (largest == -std::numeric_limits<double>::infinity()) return largest;
  double sum = 0;
  for (double& one : belief_) {
    one = std::exp(one - largest);
    sum += one;
  }
  double value = 0;
  for (std::size_t k = 0; k < belief_.size(); ++k) {
    const double p = belief_[k] / sum;
    if (p > 0) value += p * (table[k] - entropy_weight * std::log(p));
    mu[k] += p;
  }
  return value;
}
