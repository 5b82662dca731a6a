// message_graph.hpp - the edges of a factor graph along which messages are sent, and an order of
// the variables. In this order every variable except the first of its component shares a factor
// with an earlier one.
//
// An edge joins a factor to a variable of its scope. The unary factor of a variable has no edge:
// its table belongs to the variable. Used by messages.cpp and belief_propagation.cpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

class MessageGraph {
 public:
  struct Edge {
    std::int64_t factor;
    std::size_t variable;
    std::size_t states;      // of the variable
    std::int64_t stride;     // distance between cells of neighbouring states of the variable
    std::size_t first_cell;  // of its messages, in [cells()]
  };

  // Does nothing if the topology is the same as before.
  void build(const sculpt_factor_graph& graph);

  const std::vector<Edge>& edges() const { return edges_; }
  // Returns the edges of a factor, in the order of its scope.
  std::span<const Edge> edges_of_factor(std::int64_t f) const {
    return group(edges_, factor_from_, static_cast<std::size_t>(f));
  }
  // Returns the indices of the edges of a variable.
  std::span<const std::size_t> edges_of_variable(std::size_t v) const {
    return group(variable_edges_, variable_from_, v);
  }
  // The number of cells of the messages along all edges.
  std::size_t cells() const { return cells_; }

  // All variables, breadth first from the smallest variable of each component.
  const std::vector<std::size_t>& order() const { return order_; }
  // True if there is at most one path between any two variables.
  bool is_acyclic() const { return is_acyclic_; }

 private:
  // Returns group k: the items from[k] .. from[k + 1] - 1.
  template <class Item>
  static std::span<const Item> group(const std::vector<Item>& items,
                                     const std::vector<std::size_t>& from, std::size_t k) {
    return {items.data() + from[k], items.data() + from[k + 1]};
  }
  void read_edges(const sculpt_factor_graph& graph);
  void order_variables();

  std::uint64_t topology_ = 0;
  std::vector<Edge> edges_;                  // Grouped by factor.
  std::vector<std::size_t> factor_from_;     // Offsets into edges_, [factors + 1].
  std::vector<std::size_t> variable_from_;   // Offsets into variable_edges_, [variables + 1].
  std::vector<std::size_t> variable_edges_;  // Indices into edges_.
  std::vector<std::size_t> next_;            // Scratch: the next free entry, [variables].
  std::size_t cells_ = 0;
  std::vector<std::size_t> order_;            // [variables]
  std::vector<std::uint8_t> visited_;         // [variables]
  std::vector<std::uint8_t> visited_factor_;  // [factors]
  bool is_acyclic_ = true;
};
