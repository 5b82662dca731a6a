// forest_plan.hpp - the trees of a forest in an order with parents before their children.
//
// The root of every tree is its largest variable. Used by forest_search.cpp, forest_frontier.cpp
// and forest_program.cpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstdint>
#include <span>
#include <vector>

class ForestPlan {
 public:
  static constexpr std::int32_t no_parent = -1;

  struct Node {
    std::int32_t variable;
    std::int32_t parent;         // Its position among the nodes, or no_parent.
    std::int64_t table;          // Of the pair factor to the parent, if there is one.
    std::int64_t stride;         // Between cells of neighbouring states of the variable.
    std::int64_t parent_stride;  // The same for the parent.
  };

  // Throws E_INVALID with the factor for a graph with a cycle, or with a scope of more than two
  // variables. Does nothing if the topology is the same as before.
  void build(const sculpt_factor_graph& graph);

  const std::vector<Node>& nodes() const { return nodes_; }  // one for each variable
  // Returns the position of the node of a variable.
  std::int32_t position_of(std::size_t variable) const { return position_of_[variable]; }
  // Returns the further factors over this variable alone. constant_factors() are those over no
  // variable.
  std::span<const std::int64_t> extra_unary_factors(std::size_t variable) const {
    return {extra_unary_factors_.data() + extra_unary_from_[variable],
            extra_unary_from_[variable + 1] - extra_unary_from_[variable]};
  }
  const std::vector<std::int64_t>& constant_factors() const { return constant_factors_; }

 private:
  void read_factors(const sculpt_factor_graph& graph);
  void group_factors(const sculpt_factor_graph& graph, std::size_t scope_size,
                     std::vector<std::size_t>& from, std::vector<std::int64_t>& factors);
  void grow_tree(const sculpt_factor_graph& graph, std::int32_t root);

  static constexpr std::int64_t no_factor = -1;
  std::uint64_t topology_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> position_of_;  // [variables]
  std::vector<std::int64_t> constant_factors_;
  std::vector<std::size_t> extra_unary_from_;  // Offsets, [variables + 1].
  std::vector<std::int64_t> extra_unary_factors_;
  std::vector<std::size_t> pair_from_;       // Offsets into pairs_, [variables + 1].
  std::vector<std::int64_t> pairs_;          // The pair factors of each variable.
  std::vector<std::size_t> next_;            // Scratch: the next free entry, [variables].
  std::vector<std::int64_t> parent_factor_;  // The pair factor to the parent, [nodes].
};
