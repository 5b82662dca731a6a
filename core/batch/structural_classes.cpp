#include "batch/structural_classes.hpp"

#include <sculpt/cpp/edge_list.hpp>
#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace sculpt::core {

namespace {

// True if the scopes of the factors after the unary ones are v, v + 1 or v, v + 1, v + 2, and no
// two the same.
bool is_of_order_two(const sculpt_factor_graph& graph) {
  std::array<std::vector<bool>, 2> seen;  // by the first variable, of pairs and triples
  for (std::vector<bool>& of_size : seen)
    of_size.resize(static_cast<std::size_t>(graph.variable_count));
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() < 2 || scope.size() > 3) return false;
    for (std::size_t k = 1; k < scope.size(); ++k) {
      if (scope[k] != scope[k - 1] + 1) return false;
    }
    auto seen_before = seen[scope.size() - 2][static_cast<std::size_t>(scope[0])];
    if (seen_before) return false;
    seen_before = true;
  }
  return true;
}

}  // namespace

std::uint32_t structural_classes(const sculpt_factor_graph& graph) {
  std::uint32_t classes = 0;
  std::vector<std::int32_t> edges;
  bool has_pairs_only = true;  // besides factors over one variable
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() == 2) edges.insert(edges.end(), scope.begin(), scope.end());
    if (scope.size() > 2) has_pairs_only = false;
  }
  if (has_pairs_only) classes |= sculpt::classes_of_edges(graph.variable_count, edges);
  if (is_of_order_two(graph)) classes |= SCULPT_GRAPH_ORDER_TWO;
  const bool is_binary = std::all_of(graph.states, graph.states + graph.variable_count,
                                     [](std::int32_t states) { return states == 2; });
  if (is_binary) classes |= SCULPT_GRAPH_BINARY;
  return classes;
}

}  // namespace sculpt::core
