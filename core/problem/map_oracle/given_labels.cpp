#include "problem/map_oracle/given_labels.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {

namespace {

// No assignment has a larger |<theta, z(y)>|. Factors may share tables, so each adds its own cell.
double largest_score(const sculpt_factor_graph& graph, const double* theta) {
  double sum = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    std::int64_t cells = 1;
    for (std::int64_t k = graph.scope_from[f]; k < graph.scope_from[f + 1]; ++k) {
      cells *= graph.states[graph.scope[k]];
    }
    double largest = 0;
    for (const double* cell = theta + graph.table[f]; cells > 0; --cells, ++cell) {
      largest = std::max(largest, std::abs(*cell));
    }
    sum += largest;
  }
  return sum;
}

}  // namespace

// The first factors of a graph are unary, one for each variable, with tables of their own. A given
// label excludes the other states there. They lose more than all factors together can give, and
// more than the number of outputs can make up for.
void exclude_other_labels(const sculpt_factor_graph& graph, const std::int32_t* given,
                          double* theta) {
  constexpr double least_log_odds = 40;
  double penalty = least_log_odds + 2 * largest_score(graph, theta);
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    penalty += std::log(std::max(1, graph.states[v]));
  }
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if (given[v] < 0) continue;
    for (std::int32_t k = 0; k < graph.states[v]; ++k) {
      if (k != given[v]) theta[graph.table[v] + k] -= penalty;
    }
  }
}

}  // namespace sculpt::core
