// node_bounds.hpp - the work of branch_and_bound at a node: a bound, a candidate assignment, and
// states to remove.
//
// For binary pairwise graphs the bound is roof duality, which solves the linear program. For others
// it is dual ascent, which is above the linear program. It starts from the messages of the parent
// node. Used by the session in branch_and_bound.cpp.
#pragma once

#include "../lp/dual_ascent.hpp"
#include "../lp/local_polytope.hpp"
#include "../lp/roof_duality.hpp"
#include "../lp/rounding.hpp"

#include <sculpt/sculpt.hpp>

#include <limits>

// A set of assignments: each variable has one of its remaining states.
struct Node {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> allowed;  // 1 if the state remains, else 0, [unary cells]
  std::vector<double> messages;       // of the dual ascent; empty at the root, and for roof duality
};

class NodeBounds {
 public:
  // The graph and theta must outlive this object. Throws as LocalPolytope::build() does.
  void begin(const sculpt::MapQuery& query, std::int64_t max_cells);

  // Makes the node of all assignments.
  void root(Node& node) const;
  // Lowers the bound of the node. Removes states that cannot lead above `best`, or that are not
  // needed for an equally good assignment. Writes an assignment that may be good to
  // candidate[variables].
  void evaluate(Node& node, double best, const sculpt::Host& host,
                std::span<std::int32_t> candidate);

  // How to divide a node after evaluate(): the variable that the bound decides least, and the state
  // to try first. Variable -1: at most one assignment remains.
  struct Branch {
    std::int64_t variable = -1;
    std::size_t cell = 0;  // of the state, in Node::allowed
  };
  Branch choose_branch(const Node& node) const;
  // Removes all other states of the variable.
  void keep_only(Node& node, const Branch& branch) const;

  // Returns the memory of a waiting node, in cells of 8 bytes.
  double cells_of_node() const;

  // Differences below this are rounding.
  double rounding() const { return 1e-11 * polytope_.magnitude(); }

 private:
  void evaluate_by_cut(Node& node, const sculpt::Host& host, std::span<std::int32_t> candidate);
  void evaluate_by_ascent(Node& node, double best, const sculpt::Host& host,
                          std::span<std::int32_t> candidate);
  void eliminate_states(Node& node, double bound, double best);
  std::int64_t count_allowed(const Node& node, std::size_t v) const;

  const sculpt_factor_graph* graph_ = nullptr;
  const double* theta_ = nullptr;
  bool uses_roof_duality_ = false;
  LocalPolytope polytope_;
  RoofDuality roof_;
  DualAscent ascent_;
  Rounding rounding_;
  std::vector<std::int32_t> fixed_;         // A label or -1, [variables].
  std::vector<double> beliefs_;             // [unary cells]
  std::vector<double> unaries_;             // [unary cells]
  std::vector<double> branching_priority_;  // The smallest is divided first, [variables].
  std::vector<std::size_t> first_cell_;     // Cell of the state to try first, [variables].
};
