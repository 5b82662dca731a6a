#include "roof_duality.hpp"

#include <cmath>

bool RoofDuality::can_solve(const sculpt_factor_graph& graph) {
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if (graph.states[v] != 2) return false;
  }
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    if (sculpt::scope_of(graph, f).size() > 2) return false;
  }
  return true;
}

// Builds the network. Returns K of the header comment.
double RoofDuality::write_network(const sculpt_factor_graph& graph, const double* theta,
                                  std::span<const std::int32_t> fixed) {
  const auto variables = static_cast<std::int32_t>(graph.variable_count);
  network_.reset(2 * graph.variable_count);
  gain_.assign(static_cast<std::size_t>(variables), 0.0);
  belief_in_one_.assign(gain_.size(), 0.0);
  for (std::size_t v = 0; v < belief_in_one_.size(); ++v) {
    if (!is_free(fixed, v)) belief_in_one_[v] = fixed[v];
  }
  double constant = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    const double* const cells = theta + graph.table[f];
    if (scope.size() == 2) {
      constant += add_pair(cells, scope[0], scope[1], fixed);
    } else if (scope.size() == 1) {
      const auto v = static_cast<std::size_t>(scope[0]);
      constant += is_free(fixed, v) ? cells[0] : cells[fixed[v]];
      if (is_free(fixed, v)) gain_[v] += cells[1] - cells[0];
    } else {
      constant += cells[0];
    }
  }
  for (std::int32_t v = 0; v < variables; ++v) {
    const double gain = gain_[static_cast<std::size_t>(v)];
    constant += std::max(gain, 0.0);
    network_.add_terminals(v, std::max(gain, 0.0) / 2, std::max(-gain, 0.0) / 2);
    network_.add_terminals(v + variables, std::max(-gain, 0.0) / 2, std::max(gain, 0.0) / 2);
  }
  return constant;
}

// Adds the arcs of a pair table. Returns its part of K.
double RoofDuality::add_pair(const double* p, std::int32_t a, std::int32_t b,
                             std::span<const std::int32_t> fixed) {
  const auto u = static_cast<std::size_t>(a);
  const auto v = static_cast<std::size_t>(b);
  if (!is_free(fixed, u) && !is_free(fixed, v)) return p[2 * fixed[u] + fixed[v]];
  if (!is_free(fixed, u)) {
    gain_[v] += p[2 * fixed[u] + 1] - p[2 * fixed[u]];
    return p[2 * fixed[u]];
  }
  if (!is_free(fixed, v)) {
    gain_[u] += p[2 + fixed[v]] - p[fixed[v]];
    return p[fixed[v]];
  }
  const double lambda = p[0] + p[3] - p[1] - p[2];
  gain_[u] += p[2] - p[0] + lambda / 2;
  gain_[v] += p[1] - p[0] + lambda / 2;
  const auto variables = static_cast<std::int32_t>(belief_in_one_.size());
  const double quarter = std::abs(lambda) / 4;
  if (lambda > 0) {
    network_.add_arcs(a, b, quarter, quarter);
    network_.add_arcs(a + variables, b + variables, quarter, quarter);
    return p[0];
  }
  if (lambda < 0) {
    network_.add_arcs(a, b + variables, quarter, quarter);
    network_.add_arcs(b, a + variables, quarter, quarter);
  }
  return p[0] - lambda / 2;
}

// Returns the belief on which the two nodes of v agree, else 1/2.
double RoofDuality::cut_belief(std::int32_t v) const {
  const bool one = network_.with_source(v);
  const bool zero = network_.with_source(v + static_cast<std::int32_t>(belief_in_one_.size()));
  if (one == zero) return 0.5;
  return one ? 1 : 0;
}

std::array<double, 4> RoofDuality::best_pair_beliefs(const double* p, double a, double b) {
  if (a == 0.5 && b == 0.5) {
    if (p[0] + p[3] >= p[1] + p[2]) return {0.5, 0, 0, 0.5};
    return {0, 0.5, 0.5, 0};
  }
  return {(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b};
}
