// order_two_program.hpp - the assignments of a graph of order two as derivations of a program
// (sculpt/program/program.hpp). Each assignment is one derivation.
//
// For labels i, j, k of the variables v - 2, v - 1, v:
//
//   first(j)         one edge, u_0(j), without tails
//   message(v, j, k) for each i an edge, q_v(i, j, k), from joined(v - 1, i, j);       v >= 2
//   joined(v, j, k)  one edge, u_v(k) + p_v(j, k), from message(v, j, k), or from first(j) if v = 1
//   goal             for each j, k an edge, 0, from the nodes of the last variable
//
// A graph without variables has one node with one edge. It is slower than the searches and the
// products of chain_marginals.hpp, but it adds logarithms, and lists and draws assignments. Used by
// distribution.hpp.
#pragma once

#include <sculpt/program/program.hpp>

#include "chain_shape.hpp"

class OrderTwoProgram {
 public:
  using Edge = sculpt::program::Edge<1>;

  // Builds the nodes, once for each topology. Throws E_INVALID with the factor if the graph is not
  // of order two.
  void build(const sculpt_factor_graph& graph);
  // Sets the scores theta, which must outlive the calls below.
  void score(const sculpt_factor_graph& graph, const double* theta);
  // Returns the score of factors over no variable, which all assignments share.
  double constant() const { return constant_; }

  std::int64_t node_count() const { return node_count_; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const;

  // The meaning of an edge: the label of a variable, a cell of theta of a triple, or nothing.
  struct Label {
    std::int32_t variable;
    std::int32_t state;
  };
  static bool is_label(const Edge& edge) { return edge.name >= 0 && edge.name < cells_from; }
  Label label(const Edge& edge) const;
  // Adds p to mu at all cells of theta whose scores are in the score of the edge.
  void add_cells(const sculpt_factor_graph& graph, const Edge& edge, double p, double* mu) const;

 private:
  enum class Kind : std::uint8_t { first, message, joined, goal };
  struct Part {
    Kind kind;
    std::size_t variable;
    std::int64_t nodes_from;
    std::int64_t tails_from;  // first node of the part before
  };
  // The name of an edge: the node of a label, cells_from plus a cell of theta, or nothing.
  static constexpr std::int64_t no_name = -1;
  static constexpr std::int64_t cells_from = std::int64_t{1} << 40;

  void add_part(Kind kind, std::size_t variable, std::int64_t nodes);
  const Part& part_of(std::int64_t node) const;
  std::int64_t states(std::size_t variable) const {
    const auto& from = shape_.states_from();
    return static_cast<std::int64_t>(from[variable + 1] - from[variable]);
  }
  double unary(std::size_t variable, std::int64_t state) const {
    return unary_[shape_.states_from()[variable] + static_cast<std::size_t>(state)];
  }

  ChainShape shape_;
  std::vector<Part> parts_;
  std::int64_t node_count_ = 0;
  std::vector<double> unary_;  // [sum of states]
  const double* theta_ = nullptr;
  double constant_ = 0;
};

template <class Visit>
void OrderTwoProgram::each_edge(std::int64_t node, Visit visit) const {
  const Part& part = part_of(node);
  const std::int64_t at = node - part.nodes_from;
  const std::size_t v = part.variable;
  Edge edge;
  edge.name = no_name;
  if (part.kind == Kind::goal) {
    const bool has_tails = part.nodes_from > 0;
    edge.tail_count = has_tails ? 1 : 0;
    for (std::int64_t k = 0; k < (has_tails ? part.nodes_from - part.tails_from : 1); ++k) {
      edge.tail_node[0] = part.tails_from + k;
      visit(static_cast<const Edge&>(edge));
    }
    return;
  }
  if (part.kind == Kind::message) {
    const std::int64_t stride = states(v - 1) * states(v);
    const std::int64_t j = at / states(v);
    const std::int64_t table = shape_.triple_cells()[v];
    edge.tail_count = 1;
    for (std::int64_t i = 0; i < states(v - 2); ++i) {
      if (table != no_table) {
        const std::int64_t cell = table + i * stride + at;
        edge.score = theta_[cell];
        edge.name = cells_from + cell;
      }
      edge.tail_node[0] = part.tails_from + i * states(v - 1) + j;
      visit(static_cast<const Edge&>(edge));
    }
    return;
  }
  edge.name = node;
  edge.score = unary(v, part.kind == Kind::first ? at : at % states(v));
  if (part.kind == Kind::joined) {
    if (shape_.pair_cells()[v] != no_table) edge.score += theta_[shape_.pair_cells()[v] + at];
    edge.tail_count = 1;
    edge.tail_node[0] = part.tails_from + (v == 1 ? at / states(v) : at);
  }
  visit(static_cast<const Edge&>(edge));
}
