#include "messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

}  // namespace

void Messages::begin(const sculpt_factor_graph& graph, const double* theta,
                     const MessageGraph& edges) {
  graph_ = &graph;
  theta_ = theta;
  edges_ = &edges;
  to_variable_.assign(edges.cells(), 0.0);
  to_factor_.resize(edges.cells());
  for (const std::size_t v : edges.order()) update_to_factors(v);
}

double Messages::update_to_variable(std::size_t v, double damping) {
  double change = 0;
  for (const std::size_t e : edges_->around_variable(v)) {
    const Edge& edge = edges_->edges()[e];
    message_.resize(edge.states);
    compute(edge, to_factor_, message_.data());
    const double largest = *std::max_element(message_.begin(), message_.end());
    double* to_variable = to_variable_.data() + edge.from;
    for (std::size_t k = 0; k < edge.states; ++k) {
      // If all states are forbidden, no difference is defined.
      const double now = largest == nothing ? 0 : message_[k] - largest;
      if (now != to_variable[k]) change = std::max(change, std::abs(now - to_variable[k]));
      to_variable[k] = damping == 0 ? now : damping * to_variable[k] + (1 - damping) * now;
    }
  }
  return change;
}

// The sum of the other messages is the sum of those before plus the sum of those after.
void Messages::update_to_factors(std::size_t v) {
  const auto around = edges_->around_variable(v);
  sum_.assign(unary(v), unary(v) + graph_->states[v]);
  for (const std::size_t e : around) {
    const std::size_t from = edges_->edges()[e].from;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      to_factor_[from + k] = sum_[k];
      sum_[k] += to_variable_[from + k];
    }
  }
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t place = around.size(); place-- > 0;) {
    const std::size_t from = edges_->edges()[around[place]].from;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      to_factor_[from + k] += sum_[k];
      sum_[k] += to_variable_[from + k];
    }
  }
}

void Messages::decode(std::span<std::int32_t> y) {
  decoded_to_factor_ = to_factor_;
  for (const std::size_t v : edges_->order()) {
    sum_.assign(unary(v), unary(v) + graph_->states[v]);
    message_.resize(sum_.size());
    for (const std::size_t e : edges_->around_variable(v)) {
      compute(edges_->edges()[e], decoded_to_factor_, message_.data());
      for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += message_[k];
    }
    const auto best =
        static_cast<std::size_t>(std::max_element(sum_.begin(), sum_.end()) - sum_.begin());
    y[v] = static_cast<std::int32_t>(best);
    for (const std::size_t e : edges_->around_variable(v)) {
      double* to_factor = decoded_to_factor_.data() + edges_->edges()[e].from;
      std::fill_n(to_factor, sum_.size(), nothing);
      to_factor[best] = 0;
    }
  }
}

// Writes the message of a factor to one variable of its scope, message[k], before the largest entry
// is subtracted.
void Messages::compute(const Edge& to, const std::vector<double>& to_factor, double* message) {
  const auto around = edges_->around_factor(to.factor);
  const double* table = theta_ + graph_->table[to.factor];
  if (around.size() == 1) {
    std::copy_n(table, to.states, message);
    return;
  }
  if (around.size() > 2) return compute_any(to, to_factor, message);
  const Edge& other = around[around[0].variable == to.variable ? 1 : 0];
  const double* others = to_factor.data() + other.from;
  for (std::size_t k = 0; k < to.states; ++k) {
    const double* cells = table + static_cast<std::int64_t>(k) * to.stride;
    double largest = cells[0] + others[0];
    for (std::size_t j = 1; j < other.states; ++j) {
      largest = std::max(largest, cells[static_cast<std::int64_t>(j) * other.stride] + others[j]);
    }
    message[k] = largest;
  }
}

// The same for any scope: visits all cells, the last variable of the scope fastest.
void Messages::compute_any(const Edge& to, const std::vector<double>& to_factor, double* message) {
  const auto around = edges_->around_factor(to.factor);
  std::fill_n(message, to.states, nothing);
  digits_.assign(around.size(), 0);
  const double* cell = theta_ + graph_->table[to.factor];
  for (std::size_t turned = around.size(); turned > 0; ++cell) {
    double sum = *cell;
    std::size_t label = 0;
    for (std::size_t place = 0; place < around.size(); ++place) {
      if (around[place].variable == to.variable) {
        label = digits_[place];
      } else {
        sum += to_factor[around[place].from + digits_[place]];
      }
    }
    message[label] = std::max(message[label], sum);
    for (turned = around.size(); turned > 0; --turned) {
      if (++digits_[turned - 1] < around[turned - 1].states) break;
      digits_[turned - 1] = 0;
    }
  }
}
