#include "messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

// The score of a forbidden state.
constexpr double forbidden = -std::numeric_limits<double>::infinity();

}  // namespace

void Messages::begin(const sculpt_factor_graph& graph, const double* theta,
                     const MessageGraph& edges, Combine combine) {
  combine_ = combine;
  graph_ = &graph;
  theta_ = theta;
  edges_ = &edges;
  to_variable_.assign(edges.cells(), 0.0);
  to_factor_.resize(edges.cells());
  for (const std::size_t v : edges.order()) update_to_factors(v);
}

double Messages::update_to_variable(std::size_t v, double damping) {
  double change = 0;
  for (const std::size_t e : edges_->edges_of_variable(v)) {
    const Edge& edge = edges_->edges()[e];
    message_.resize(edge.states);
    compute_message(edge, to_factor_, message_.data());
    const double largest = *std::max_element(message_.begin(), message_.end());
    double* to_variable = to_variable_.data() + edge.first_cell;
    for (std::size_t k = 0; k < edge.states; ++k) {
      // If all states are forbidden, no difference is defined.
      const double updated = largest == forbidden ? 0 : message_[k] - largest;
      if (updated != to_variable[k]) change = std::max(change, std::abs(updated - to_variable[k]));
      to_variable[k] = damping == 0 ? updated : damping * to_variable[k] + (1 - damping) * updated;
    }
  }
  return change;
}

// The sum of the other messages is the sum of those before plus the sum of those after.
void Messages::update_to_factors(std::size_t v) {
  const auto edges = edges_->edges_of_variable(v);
  sum_.assign(unary(v), unary(v) + graph_->states[v]);
  for (const std::size_t e : edges) {
    const std::size_t first = edges_->edges()[e].first_cell;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      to_factor_[first + k] = sum_[k];
      sum_[k] += to_variable_[first + k];
    }
  }
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t i = edges.size(); i-- > 0;) {
    const std::size_t first = edges_->edges()[edges[i]].first_cell;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      to_factor_[first + k] += sum_[k];
      sum_[k] += to_variable_[first + k];
    }
  }
}

void Messages::decode(std::span<std::int32_t> y) {
  decoded_to_factor_ = to_factor_;
  for (const std::size_t v : edges_->order()) {
    sum_.assign(unary(v), unary(v) + graph_->states[v]);
    message_.resize(sum_.size());
    for (const std::size_t e : edges_->edges_of_variable(v)) {
      compute_message(edges_->edges()[e], decoded_to_factor_, message_.data());
      for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += message_[k];
    }
    const auto best =
        static_cast<std::size_t>(std::max_element(sum_.begin(), sum_.end()) - sum_.begin());
    y[v] = static_cast<std::int32_t>(best);
    for (const std::size_t e : edges_->edges_of_variable(v)) {
      double* to_factor = decoded_to_factor_.data() + edges_->edges()[e].first_cell;
      std::fill_n(to_factor, sum_.size(), forbidden);
      to_factor[best] = 0;
    }
  }
}

// Writes the message of a factor to one variable of its scope, message[k], before the largest entry
// is subtracted. The message goes along the edge `target`.
void Messages::compute_message(const Edge& target, const std::vector<double>& to_factor,
                               double* message) {
  const auto scope = edges_->edges_of_factor(target.factor);
  const double* table = theta_ + graph_->table[target.factor];
  if (scope.size() == 1) {
    std::copy_n(table, target.states, message);
    return;
  }
  if (scope.size() > 2) return compute_general_message(target, to_factor, message);
  const Edge& other = scope[scope[0].variable == target.variable ? 1 : 0];
  const double* other_message = to_factor.data() + other.first_cell;
  for (std::size_t k = 0; k < target.states; ++k) {
    const double* cells = table + static_cast<std::int64_t>(k) * target.stride;
    const auto score = [&](std::size_t j) {
      return cells[static_cast<std::int64_t>(j) * other.stride] + other_message[j];
    };
    double largest = score(0);
    for (std::size_t j = 1; j < other.states; ++j) largest = std::max(largest, score(j));
    message[k] = largest;
    if (combine_ == Combine::max || largest == forbidden) continue;
    double sum = 0;
    for (std::size_t j = 0; j < other.states; ++j) sum += std::exp(score(j) - largest);
    message[k] += std::log(sum);
  }
}

// The same for any scope: visits all cells, the last variable of the scope fastest.
void Messages::compute_general_message(const Edge& target, const std::vector<double>& to_factor,
                                       double* message) {
  const auto scope = edges_->edges_of_factor(target.factor);
  std::fill_n(message, target.states, forbidden);
  log_sums_.assign(target.states, LogSum());
  states_.assign(scope.size(), 0);
  const double* cell = theta_ + graph_->table[target.factor];
  for (std::size_t last_changed = scope.size(); last_changed > 0; ++cell) {
    double sum = *cell;
    std::size_t label = 0;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      if (scope[i].variable == target.variable) {
        label = states_[i];
      } else {
        sum += to_factor[scope[i].first_cell + states_[i]];
      }
    }
    if (combine_ == Combine::max) {
      message[label] = std::max(message[label], sum);
    } else {
      log_sums_[label].add(sum);
    }
    // Moves to the next states. last_changed: 1 + the position that increases, 0 at the end.
    for (last_changed = scope.size(); last_changed > 0; --last_changed) {
      if (++states_[last_changed - 1] < scope[last_changed - 1].states) break;
      states_[last_changed - 1] = 0;
    }
  }
  if (combine_ == Combine::max) return;
  for (std::size_t k = 0; k < target.states; ++k) message[k] = log_sums_[k].value();
}
