#include "boost_roof_duality.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "boost_flow.hpp"

namespace sculpt::bench {

// The network is that of plugins/lp/roof_duality.hpp. Node v stands for y_v, node v + n for 1 -
// y_v.
double boost_roof_bound(const sculpt_factor_graph& graph, const double* theta) {
  const auto n = static_cast<std::size_t>(graph.variable_count);
  BoostFlow network(2 * n + 2);
  std::vector<double> gain(n, 0.0);
  double upper = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = scope_of(graph, f);
    const double* const p = theta + graph.table[f];
    upper += p[0];
    if (scope.size() == 1) gain[static_cast<std::size_t>(scope[0])] += p[1] - p[0];
    if (scope.size() != 2) continue;
    const auto u = static_cast<std::size_t>(scope[0]);
    const auto v = static_cast<std::size_t>(scope[1]);
    const double lambda = p[0] + p[3] - p[1] - p[2];
    const double quarter = std::abs(lambda) / 4;
    gain[u] += p[2] - p[0] + lambda / 2;
    gain[v] += p[1] - p[0] + lambda / 2;
    if (lambda > 0) {
      network.add_edge(u, v, quarter, quarter);
      network.add_edge(u + n, v + n, quarter, quarter);
    } else if (lambda < 0) {
      upper -= lambda / 2;
      network.add_edge(u, v + n, quarter, quarter);
      network.add_edge(v, u + n, quarter, quarter);
    }
  }
  const std::size_t source = 2 * n;
  const std::size_t sink = source + 1;
  for (std::size_t v = 0; v < n; ++v) {
    upper += std::max(gain[v], 0.0);
    const double half = std::abs(gain[v]) / 2;
    if (gain[v] > 0) {
      network.add_edge(source, v, half, 0);
      network.add_edge(v + n, sink, half, 0);
    } else if (gain[v] < 0) {
      network.add_edge(v, sink, half, 0);
      network.add_edge(source, v + n, half, 0);
    }
  }
  return upper - network.max_flow(source, sink);
}

}  // namespace sculpt::bench
