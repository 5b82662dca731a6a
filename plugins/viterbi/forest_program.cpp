#include "forest_program.hpp"

#include <algorithm>

std::int64_t ForestProgram::add_part(Kind kind, std::size_t position, std::int64_t previous,
                                     std::int64_t child, std::int64_t states, std::int64_t nodes) {
  const std::int64_t first = node_count();
  parts_.push_back({kind, position, first, nodes, previous, child, states});
  part_of_.insert(part_of_.end(), static_cast<std::size_t>(nodes),
                  static_cast<std::uint32_t>(parts_.size() - 1));
  return first;
}

// From the leaves up, in decreasing positions, because children come after their parents.
void ForestProgram::build(const sculpt_factor_graph& graph) {
  plan_.build(graph);
  if (topology_ == graph.topology && topology_ != 0) return;
  topology_ = graph.topology;
  const auto& nodes = plan_.nodes();
  parts_.clear();
  part_of_.clear();
  for (auto& children : children_) children.clear();
  children_.resize(std::max(children_.size(), nodes.size()));
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    if (nodes[position].parent == ForestPlan::no_parent) continue;
    children_[static_cast<std::size_t>(nodes[position].parent)].push_back(position);
  }
  std::vector<std::int64_t> message(nodes.size(), -1);
  std::vector<std::int64_t> joined(nodes.size(), -1);  // first node of joined(position, m)
  unary_from_.assign(nodes.size() + 1, 0);
  for (std::size_t position = nodes.size(); position-- > 0;) {
    const ForestPlan::Node& node = nodes[position];
    const std::int64_t states = graph.states[node.variable];
    unary_from_[position + 1] = static_cast<std::size_t>(states);
    const auto& children = children_[position];
    std::int64_t previous = -1;
    for (std::size_t i = 0; i < std::max<std::size_t>(children.size(), 1); ++i) {
      const std::int64_t child = children.empty() ? -1 : message[children[i]];
      previous = add_part(Kind::joined, position, previous, child, states, states);
    }
    joined[position] = previous;
    if (node.parent == ForestPlan::no_parent) continue;
    const std::int32_t parent = nodes[static_cast<std::size_t>(node.parent)].variable;
    message[position] =
        add_part(Kind::message, position, -1, joined[position], states, graph.states[parent]);
  }
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    unary_from_[position + 1] += unary_from_[position];
  }
  if (nodes.empty()) add_part(Kind::empty, 0, -1, -1, 0, 1);
  std::int64_t root = -1;
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    if (nodes[position].parent != ForestPlan::no_parent) continue;
    const std::int64_t states = graph.states[nodes[position].variable];
    root = add_part(Kind::root, position, root, joined[position], states, 1);
  }
}

void ForestProgram::score(const sculpt_factor_graph& graph, const double* theta) {
  theta_ = theta;
  constant_ = 0;
  unary_.resize(unary_from_.back());
  const auto& nodes = plan_.nodes();
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    const std::int32_t variable = nodes[position].variable;
    const std::size_t states = unary_from_[position + 1] - unary_from_[position];
    double* const unary = unary_.data() + unary_from_[position];
    std::copy_n(theta + graph.table[variable], states, unary);
    for (const std::int64_t f : plan_.extra_unary_factors(static_cast<std::size_t>(variable))) {
      const double* const table = theta + graph.table[f];
      for (std::size_t k = 0; k < states; ++k) unary[k] += table[k];
    }
  }
  for (const std::int64_t f : plan_.constant_factors()) constant_ += theta[graph.table[f]];
}

void ForestProgram::add_cells(const sculpt_factor_graph& graph, const Edge& edge, double p,
                              double* mu) const {
  if (edge.name >= cells_from) mu[edge.name - cells_from] += p;
  if (!is_label(edge)) return;
  const auto [variable, state] = label(edge);
  mu[graph.table[variable] + state] += p;
  for (const std::int64_t f : plan_.extra_unary_factors(static_cast<std::size_t>(variable))) {
    mu[graph.table[f] + state] += p;
  }
}
