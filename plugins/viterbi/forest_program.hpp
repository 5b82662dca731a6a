// forest_program.hpp - the assignments of a forest as derivations of a program
// (sculpt/program/program.hpp). Each assignment is one derivation.
//
// For a variable at `position` with label k and children c_1 .. c_m, and for its parent's label j:
//
//   joined(position, 1, k)   one edge, u(k), from message(c_1, k), or without tails if m = 0
//   joined(position, i, k)   one edge, 0, from joined(position, i - 1, k) and message(c_i, k)
//   message(position, j)     for each k an edge, p(j, k), from joined(position, m, k)
//   root(r)                  for each k an edge, 0, from joined(r, m, k) and the previous root
//
// The goal is the last root. A graph without variables has one node with one edge. Used by
// distribution.hpp.
#pragma once

#include <sculpt/program/program.hpp>

#include "forest_plan.hpp"

class ForestProgram {
 public:
  using Edge = sculpt::program::Edge<2>;

  // Builds the nodes, once for each topology. Throws as ForestPlan::build() does.
  void build(const sculpt_factor_graph& graph);
  // Sets the scores theta, which must outlive the calls below.
  void score(const sculpt_factor_graph& graph, const double* theta);
  // Returns the score of factors over no variable, which all assignments share.
  double constant() const { return constant_; }

  std::int64_t node_count() const { return static_cast<std::int64_t>(part_of_.size()); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const;
  // Returns the rows that contain the node. They exist for messages, with all states of
  // the parent, and for nodes with one child.
  sculpt::program::Rows rows(std::int64_t node) const;

  // The meaning of an edge: the label of a variable (a Label), a cell of theta of a pair, or
  // nothing.
  struct Label {
    std::int32_t variable;
    std::int32_t state;
  };
  static bool is_label(const Edge& edge) { return edge.name >= 0 && edge.name < cells_from; }
  Label label(const Edge& edge) const {
    const Part& part = parts_[part_of_[static_cast<std::size_t>(edge.name)]];
    return {plan_.nodes()[part.position].variable,
            static_cast<std::int32_t>(edge.name - part.first)};
  }
  // Adds p to mu at all cells of theta whose scores are in the score of the edge.
  void add_cells(const sculpt_factor_graph& graph, const Edge& edge, double p, double* mu) const;

 private:
  enum class Kind : std::uint8_t { joined, message, root, empty };
  struct Part {
    Kind kind;
    std::size_t position;
    std::int64_t first;     // Its first node.
    std::int64_t nodes;     // Its number of nodes.
    std::int64_t previous;  // First node of joined(position, i - 1) or of the last root; -1: none.
    std::int64_t child;     // First node of message(c_i), or -1; or of joined(position, m).
    std::int64_t states;    // Number of states of the variable.
  };
  // The name of an edge: the node of a label, cells_from plus a cell of theta, or nothing.
  static constexpr std::int64_t no_name = -1;
  static constexpr std::int64_t cells_from = std::int64_t{1} << 40;

  // Appends the nodes of a part. Returns the first of them.
  std::int64_t add_part(Kind kind, std::size_t position, std::int64_t previous, std::int64_t child,
                        std::int64_t states, std::int64_t nodes);

  ForestPlan plan_;
  std::uint64_t topology_ = 0;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> part_of_;              // [nodes]
  std::vector<std::size_t> unary_from_;             // Offsets into unary_, [nodes of the plan + 1].
  std::vector<double> unary_;                       // [sum of states]
  std::vector<std::vector<std::size_t>> children_;  // [nodes of the plan]
  const double* theta_ = nullptr;
  double constant_ = 0;
};

inline sculpt::program::Rows ForestProgram::rows(std::int64_t node) const {
  const Part& part = parts_[part_of_[static_cast<std::size_t>(node)]];
  if (part.kind == Kind::message) {
    const ForestPlan::Node& tree_node = plan_.nodes()[part.position];
    return {.first = part.first,
            .nodes = part.nodes,
            .tail = part.child,
            .tails = part.states,
            .score = theta_ + tree_node.table,
            .name = cells_from + tree_node.table,
            .edge_stride = tree_node.stride,
            .node_stride = tree_node.parent_stride};
  }
  if (part.kind == Kind::joined && part.previous < 0 && part.child >= 0) {
    return {.first = part.first,
            .nodes = part.nodes,
            .tail = part.child,
            .tails = 1,
            .tail_step = 1,
            .score = unary_.data() + unary_from_[part.position],
            .name = part.first,
            .node_stride = 1};
  }
  return {};
}

template <class Visit>
void ForestProgram::each_edge(std::int64_t node, Visit visit) const {
  const Part& part = parts_[part_of_[static_cast<std::size_t>(node)]];
  const std::int64_t k = node - part.first;
  Edge edge;
  const auto add_tail = [&](std::int64_t tail) {
    edge.tail_node[static_cast<std::size_t>(edge.tail_count++)] = tail;
  };
  if (part.kind == Kind::joined) {
    const bool first = part.previous < 0;
    edge.score = first ? unary_[unary_from_[part.position] + static_cast<std::size_t>(k)] : 0;
    edge.name = first ? node : no_name;
    if (!first) add_tail(part.previous + k);
    if (part.child >= 0) add_tail(part.child + k);
    return visit(static_cast<const Edge&>(edge));
  }
  if (part.kind == Kind::empty) return visit(static_cast<const Edge&>(Edge{0, no_name, {}, 0}));
  const ForestPlan::Node& tree_node = plan_.nodes()[part.position];
  for (std::int64_t state = 0; state < part.states; ++state) {
    edge.tail_count = 0;
    if (part.kind == Kind::message) {
      const std::int64_t theta_cell =
          tree_node.table + k * tree_node.parent_stride + state * tree_node.stride;
      edge.score = theta_[theta_cell];
      edge.name = cells_from + theta_cell;
    } else {
      edge.score = 0;
      edge.name = no_name;
      if (part.previous >= 0) add_tail(part.previous);
    }
    add_tail(part.child + state);
    visit(static_cast<const Edge&>(edge));
  }
}
