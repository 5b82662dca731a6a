// node_bounds.hpp - what branch_and_bound learns at a node: a bound, a guess, states to forget.
//
// Binary pairwise graphs are bounded by roof duality, the linear program itself; others by dual
// ascent, which lies above it and goes on from the messages of the node above.
#pragma once

#include "../lp/dual_ascent.hpp"
#include "../lp/local_polytope.hpp"
#include "../lp/roof_duality.hpp"
#include "../lp/rounding.hpp"

#include <sculpt/sculpt.hpp>

#include <limits>

// A part of the assignments: each variable has one of its states that are left.
struct Node {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> left;  // [unary cells] 1 or 0
  std::vector<double> messages;    // of the dual ascent; empty at first, and for roof duality
};

class NodeBounds {
 public:
  // The graph and theta have to live on. Throws as LocalPolytope::build() does.
  void begin(const sculpt::MapQuery& query, std::int64_t max_cells);

  void root(Node& node) const;
  // Lowers the bound of the node; takes away states with which nothing above `best` is left, or
  // without which as good an assignment is; writes an assignment that may be good.
  void evaluate(Node& node, double best, const sculpt::Host& host, std::span<std::int32_t> guess);

  // Where to divide a node just evaluated: the variable the bound knows least about, and the state
  // to try first. No variable: one assignment is left, or none.
  struct Branch {
    std::int64_t variable = -1;
    std::size_t cell = 0;  // of the state, in Node::left
  };
  Branch branch(const Node& node) const;
  // The node with this state alone, or without it.
  void keep_only(Node& node, const Branch& branch) const;

  // What a waiting node takes, in cells of 8 bytes.
  double cells_of_node() const;

  // Less is rounding.
  double rounding() const { return 1e-11 * polytope_.size(); }

 private:
  void evaluate_by_cut(Node& node, const sculpt::Host& host, std::span<std::int32_t> guess);
  void evaluate_by_ascent(Node& node, double best, const sculpt::Host& host,
                          std::span<std::int32_t> guess);
  void forget_states(Node& node, double bound, double best);
  std::int64_t count_left(const Node& node, std::size_t v) const;

  const sculpt_factor_graph* graph_ = nullptr;
  const double* theta_ = nullptr;
  bool by_cut_ = false;
  LocalPolytope polytope_;
  RoofDuality roof_;
  DualAscent ascent_;
  Rounding rounding_;
  std::vector<std::int32_t> given_;  // [variables] a label or -1
  std::vector<double> beliefs_;      // [unary cells]
  std::vector<double> unaries_;      // [unary cells]
  std::vector<double> lead_;         // [variables] smaller: to be divided before others
  std::vector<std::size_t> first_;   // [variables] the cell of the state to try first
};
