// forest_plan.hpp - the trees of a forest in an order in which parents precede their children.
//
// Every tree hangs on its largest variable. Used by forest_search.cpp and forest_frontier.cpp.
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
    std::int32_t parent;         // its place among the nodes, or no_parent
    std::int64_t table;          // of the pair factor that joins the two, where there is a parent
    std::int64_t stride;         // between the cells of two neighbouring states of the variable
    std::int64_t parent_stride;  // the same of the parent
  };

  // Throws E_INVALID, naming the factor, for a graph that has a cycle or a scope beyond pairs. Free
  // when it holds this topology already.
  void build(const sculpt_factor_graph& graph);

  const std::vector<Node>& nodes() const { return nodes_; }  // one for each variable
  std::int32_t place_of(std::size_t variable) const { return place_of_[variable]; }
  // Further factors over this variable alone, and those over none.
  std::span<const std::int64_t> small_factors(std::size_t variable) const {
    return {small_factors_.data() + small_from_[variable],
            small_from_[variable + 1] - small_from_[variable]};
  }
  const std::vector<std::int64_t>& constant_factors() const { return constant_factors_; }

 private:
  void read_factors(const sculpt_factor_graph& graph);
  void place_factors(const sculpt_factor_graph& graph, std::size_t scope_size,
                     std::vector<std::size_t>& from, std::vector<std::int64_t>& factors);
  void grow_tree(const sculpt_factor_graph& graph, std::int32_t root);

  static constexpr std::int64_t no_factor = -1;
  std::uint64_t topology_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> place_of_;  // [variables]
  std::vector<std::int64_t> constant_factors_;
  std::vector<std::size_t> small_from_;  // [variables + 1] into small_factors_
  std::vector<std::int64_t> small_factors_;
  std::vector<std::size_t> from_;         // [variables + 1] into pairs_
  std::vector<std::int64_t> pairs_;       // the pair factors around each variable
  std::vector<std::size_t> next_;         // [variables]
  std::vector<std::int64_t> reached_by_;  // [nodes] the pair factor that joins it to its parent
};
