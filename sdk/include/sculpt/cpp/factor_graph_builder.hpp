// factor_graph_builder.hpp - builds a factor graph, variable by variable and factor by factor.
//
// SPDX-License-Identifier: Apache-2.0
//
//   builder.clear();
//   const std::int32_t a = builder.add_variable(3);      its unary table comes with it
//   const std::int32_t b = builder.add_variable(2);
//   builder.add_factor({a, b}, builder.add_table(6));
//   return builder.graph(SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST, topology);
//
// Tables are stored in theta in the order of add_table(), without gaps. For the Session of features
// with factor_graph().
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "../ext/factor_graph.h"
#include "error.hpp"

namespace sculpt {

// Returns the classes of a graph of one variable with this number of states.
inline std::uint32_t single_variable_classes(std::int32_t states) {
  // Without pair factors ATTRACTIVE holds trivially.
  return SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE |
         SCULPT_GRAPH_ATTRACTIVE | (states == 2 ? std::uint32_t{SCULPT_GRAPH_BINARY} : 0);
}

class FactorGraphBuilder {
 public:
  void clear() {
    states_.clear();
    scope_from_.assign(1, 0);
    scope_.clear();
    table_.clear();
    theta_size_ = 0;
  }

  // Adds a variable, its unary factor and the table of that factor. Returns the variable. Throws
  // E_INTERNAL after other factors: add all variables first.
  std::int32_t add_variable(std::int32_t states) {
    if (table_.size() != states_.size()) {
      throw Error(SCULPT_E_INTERNAL, "adds a variable after a factor; add all variables first");
    }
    const auto variable = static_cast<std::int32_t>(states_.size());
    states_.push_back(states);
    add_factor({variable}, add_table(states));
    return variable;
  }

  // Reserves `cells` cells of theta. Returns where the table begins.
  std::int64_t add_table(std::int64_t cells) {
    const std::int64_t begin = theta_size_;
    theta_size_ += cells;
    return begin;
  }

  // Adds a factor over `scope` that reads the table at `table`. Several factors may share a table.
  void add_factor(std::span<const std::int32_t> scope, std::int64_t table) {
    scope_.insert(scope_.end(), scope.begin(), scope.end());
    scope_from_.push_back(static_cast<std::int64_t>(scope_.size()));
    table_.push_back(table);
  }
  void add_factor(std::initializer_list<std::int32_t> scope, std::int64_t table) {
    add_factor(std::span<const std::int32_t>(scope.begin(), scope.size()), table);
  }

  std::int64_t variable_count() const { return static_cast<std::int64_t>(states_.size()); }

  // Returns the graph, valid until the next change. `classes`: SCULPT_GRAPH_*. `topology`: see
  // factor_graph.h.
  const sculpt_factor_graph& graph(std::uint32_t classes, std::uint64_t topology) {
    graph_ = {sizeof(sculpt_factor_graph),
              classes,
              topology,
              variable_count(),
              static_cast<std::int64_t>(table_.size()),
              theta_size_,
              states_.data(),
              scope_from_.data(),
              scope_.data(),
              table_.data()};
    return graph_;
  }

 private:
  std::vector<std::int32_t> states_;
  std::vector<std::int64_t> scope_from_ = {0};
  std::vector<std::int32_t> scope_;
  std::vector<std::int64_t> table_;
  std::int64_t theta_size_ = 0;
  sculpt_factor_graph graph_ = {};
};

}  // namespace sculpt
