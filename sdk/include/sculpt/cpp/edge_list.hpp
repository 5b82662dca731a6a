// edge_list.hpp - lists of edges between numbered nodes: their components, and the classes of their
// graph.
//
// SPDX-License-Identifier: Apache-2.0
//
// For features that make a pairwise factor graph from edges. An edge is two consecutive entries of
// a list: its first and its second node.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../ext/factor_graph.h"

namespace sculpt {

// A partition of [0, size) whose sets can be joined. Union by size with path halving (Tarjan,
// "Efficiency of a Good But Not Linear Set Union Algorithm", JACM 1975).
class DisjointSets {
 public:
  explicit DisjointSets(std::int64_t size) : parent_(static_cast<std::size_t>(size), -1) {}

  // Returns the representative of the set of `node`.
  std::int32_t find(std::int32_t node) {
    while (parent(node) >= 0) {
      const std::int32_t next = parent(node);
      if (parent(next) >= 0) parent(node) = parent(next);
      node = next;
    }
    return node;
  }
  // Joins the sets of a and b. Returns false if they are one set already.
  bool join(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (parent(a) > parent(b)) std::swap(a, b);
    parent(a) += parent(b);
    parent(b) = a;
    return true;
  }

 private:
  std::int32_t& parent(std::int32_t node) { return parent_[static_cast<std::size_t>(node)]; }

  std::vector<std::int32_t> parent_;  // [size] the parent, or minus the size of the set
};

// Returns SCULPT_GRAPH_PAIRWISE, with FOREST, CHAIN and SINGLE if they hold. The graph has
// `node_count` variables and one pair factor for each edge, over its two nodes in this order.
inline std::uint32_t classes_of_edges(std::int64_t node_count,
                                      std::span<const std::int32_t> edges) {
  std::uint32_t classes = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN;
  if (node_count == 1) classes |= SCULPT_GRAPH_SINGLE;
  DisjointSets sets(node_count);
  for (std::size_t e = 0; e + 1 < edges.size(); e += 2) {
    // A second edge between the same two nodes makes a cycle.
    if (!sets.join(edges[e], edges[e + 1])) return SCULPT_GRAPH_PAIRWISE;
    if (edges[e] + 1 != edges[e + 1]) classes &= ~std::uint32_t{SCULPT_GRAPH_CHAIN};
  }
  return classes;
}

}  // namespace sculpt
