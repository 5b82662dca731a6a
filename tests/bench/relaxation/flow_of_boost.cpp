#include "flow_of_boost.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <cmath>
#include <vector>

namespace sculpt::bench {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Edge {
  double capacity = 0;
  double rest = 0;
  Traits::edge_descriptor reverse;
};
struct Vertex {
  boost::default_color_type color;
  Traits::edge_descriptor predecessor;
  double distance;
};
using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

void join(Network& network, std::size_t from, std::size_t to, double there, double back) {
  const auto one = boost::add_edge(from, to, network).first;
  const auto other = boost::add_edge(to, from, network).first;
  network[one] = {there, 0, other};
  network[other] = {back, 0, one};
}

double maximum_flow(Network& network, std::size_t source, std::size_t sink) {
  return boost::boykov_kolmogorov_max_flow(
      network, boost::get(&Edge::capacity, network), boost::get(&Edge::rest, network),
      boost::get(&Edge::reverse, network), boost::get(&Vertex::predecessor, network),
      boost::get(&Vertex::color, network), boost::get(&Vertex::distance, network),
      boost::get(boost::vertex_index, network), source, sink);
}

}  // namespace

// The network of the header comment of roof_duality.hpp: nodes v for y_v and v + n for 1 - y_v.
double roof_by_boost(const sculpt_factor_graph& graph, const double* theta) {
  const auto n = static_cast<std::size_t>(graph.variable_count);
  Network network(2 * n + 2);
  std::vector<double> gain(n, 0.0);
  double most = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = scope_of(graph, f);
    const double* const p = theta + graph.table[f];
    most += p[0];
    if (scope.size() == 1) gain[static_cast<std::size_t>(scope[0])] += p[1] - p[0];
    if (scope.size() != 2) continue;
    const auto u = static_cast<std::size_t>(scope[0]);
    const auto v = static_cast<std::size_t>(scope[1]);
    const double lambda = p[0] + p[3] - p[1] - p[2];
    const double quarter = std::abs(lambda) / 4;
    gain[u] += p[2] - p[0] + lambda / 2;
    gain[v] += p[1] - p[0] + lambda / 2;
    if (lambda > 0) {
      join(network, u, v, quarter, quarter);
      join(network, u + n, v + n, quarter, quarter);
    } else if (lambda < 0) {
      most -= lambda / 2;
      join(network, u, v + n, quarter, quarter);
      join(network, v, u + n, quarter, quarter);
    }
  }
  const std::size_t source = 2 * n;
  const std::size_t sink = source + 1;
  for (std::size_t v = 0; v < n; ++v) {
    most += std::max(gain[v], 0.0);
    const double half = std::abs(gain[v]) / 2;
    if (gain[v] > 0) {
      join(network, source, v, half, 0);
      join(network, v + n, sink, half, 0);
    } else if (gain[v] < 0) {
      join(network, v, sink, half, 0);
      join(network, source, v + n, half, 0);
    }
  }
  return most - maximum_flow(network, source, sink);
}

}  // namespace sculpt::bench
