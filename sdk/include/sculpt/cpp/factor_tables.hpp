// factor_tables.hpp - reads a factor graph: cells, scores, the factors around a variable.
//
// SPDX-License-Identifier: Apache-2.0
//
//   score(y) = sum over factors f of theta[table[f] + offset_f(y)]
//
// with offset_f row-major over the scope of f (ext/factor_graph.h). For map_solvers, and for losses
// and features that use tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../ext/factor_graph.h"

namespace sculpt {

// Returns the variables of factor f.
inline std::span<const std::int32_t> scope_of(const sculpt_factor_graph& graph, std::int64_t f) {
  return {graph.scope + graph.scope_from[f], graph.scope + graph.scope_from[f + 1]};
}

// Returns the cell of theta that factor f reads under the assignment y, [variable_count].
inline std::int64_t factor_cell(const sculpt_factor_graph& graph, std::int64_t f,
                                const std::int32_t* y) {
  std::int64_t offset = 0;
  for (const std::int32_t v : scope_of(graph, f)) offset = offset * graph.states[v] + y[v];
  return graph.table[f] + offset;
}

// Returns score(y), summed in the order of the factors.
inline double assignment_score(const sculpt_factor_graph& graph, const double* theta,
                               const std::int32_t* y) {
  double score = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) score += theta[factor_cell(graph, f, y)];
  return score;
}

// False if some variable has no state: then there is no output. A graph without variables has one
// output, the empty one.
inline bool has_assignments(const sculpt_factor_graph& graph) {
  return std::all_of(graph.states, graph.states + graph.variable_count,
                     [](std::int32_t states) { return states > 0; });
}

// For each variable the factors that contain it, its own unary factor first.
class FactorIncidence {
 public:
  struct Entry {
    std::int64_t factor;
    std::int64_t stride;  // distance between the cells of neighbouring states of the variable
  };

  // Requires scopes that contain no variable twice. Does nothing if the topology is the same as
  // before.
  void build(const sculpt_factor_graph& graph) {
    if (graph.topology != 0 && graph.topology == topology_) return;
    topology_ = 0;  // set again once all is built
    from_.assign(static_cast<std::size_t>(graph.variable_count) + 1, 0);
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      for (const std::int32_t v : scope_of(graph, f)) ++from_[static_cast<std::size_t>(v) + 1];
    }
    for (std::size_t v = 1; v < from_.size(); ++v) from_[v] += from_[v - 1];
    entries_.resize(from_.back());
    next_.assign(from_.begin(), from_.end() - 1);
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      const auto scope = scope_of(graph, f);
      std::int64_t stride = 1;
      for (std::size_t p = scope.size(); p-- > 0;) {
        const auto v = static_cast<std::size_t>(scope[p]);
        entries_[next_[v]++] = {f, stride};
        stride *= graph.states[v];
      }
    }
    topology_ = graph.topology;
  }

  std::span<const Entry> of(std::int64_t variable) const {
    const auto v = static_cast<std::size_t>(variable);
    return {entries_.data() + from_[v], entries_.data() + from_[v + 1]};
  }

 private:
  std::uint64_t topology_ = 0;
  std::vector<std::size_t> from_;  // [variable_count + 1] into entries_
  std::vector<Entry> entries_;
  std::vector<std::size_t> next_;  // scratch: the next free entry, [variable_count]
};

}  // namespace sculpt
