#include "message_graph.hpp"

#include <sculpt/cpp/factor_tables.hpp>

void MessageGraph::build(const sculpt_factor_graph& graph) {
  if (graph.topology != 0 && graph.topology == topology_) return;
  topology_ = 0;  // set again once all is built
  read_edges(graph);
  order_variables();
  topology_ = graph.topology;
}

// Lists the edges by factor and by variable, with their strides and message cells.
void MessageGraph::read_edges(const sculpt_factor_graph& graph) {
  const auto variables = static_cast<std::size_t>(graph.variable_count);
  edges_.clear();
  cells_ = 0;
  factor_from_.assign(variables + 1, 0);  // unary factors have no edge
  variable_from_.assign(variables + 1, 0);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    std::int64_t stride = 1;
    for (const std::int32_t v : scope) stride *= graph.states[v];
    for (const std::int32_t v : scope) {
      const auto variable = static_cast<std::size_t>(v);
      const std::int32_t states = graph.states[v];
      stride /= states;
      edges_.push_back({f, variable, static_cast<std::size_t>(states), stride, cells_});
      cells_ += edges_.back().states;
      ++variable_from_[variable + 1];
    }
    factor_from_.push_back(edges_.size());
  }
  for (std::size_t v = 0; v < variables; ++v) variable_from_[v + 1] += variable_from_[v];
  variable_edges_.resize(edges_.size());
  next_.assign(variable_from_.begin(), variable_from_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e) variable_edges_[next_[edges_[e].variable]++] = e;
}

// Visits each component breadth first, and finds out whether there is a cycle. A component of n
// variables and factors has n - 1 edges if it has no cycle, else more.
void MessageGraph::order_variables() {
  const std::size_t variables = variable_from_.size() - 1;
  order_.clear();
  visited_.assign(variables, 0);
  visited_factor_.assign(factor_from_.size() - 1, 0);
  std::size_t tree_edges = 0;  // edges that led to a new variable or factor
  for (std::size_t root = 0; root < variables; ++root) {
    if (visited_[root] != 0) continue;
    visited_[root] = 1;
    std::size_t position = order_.size();
    order_.push_back(root);
    for (; position < order_.size(); ++position) {
      for (const std::size_t e : edges_of_variable(order_[position])) {
        const std::int64_t f = edges_[e].factor;
        std::uint8_t& visited_factor = visited_factor_[static_cast<std::size_t>(f)];
        if (visited_factor != 0) continue;
        visited_factor = 1;
        ++tree_edges;
        for (const Edge& edge : edges_of_factor(f)) {
          if (visited_[edge.variable] != 0) continue;
          visited_[edge.variable] = 1;
          ++tree_edges;
          order_.push_back(edge.variable);
        }
      }
    }
  }
  is_acyclic_ = tree_edges == edges_.size();
}
