// factor_graphs.hpp - asks features for the factor graph of an example, and checks it.
//
// Map_solvers, losses and the host index by a graph without a check. A wrong graph would crash the
// process. Held by MapQueries, OutputCounts and OutputShapes.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

class FactorGraphs {
 public:
  // Requires sealed features. They outlive this.
  FactorGraphs(const Component& features, int threads)
      : features_(features),
        table_(features.extension<sculpt_ext_factor_graph>()),
        valid_topologies_(static_cast<std::size_t>(threads)) {}

  bool are_offered() const { return table_ != nullptr; }
  // The table of the features. Requires are_offered(), as does the next function.
  const sculpt_ext_factor_graph& table() const { return *table_; }

  // The graph of an example, owned by the features until `session` is asked for another one.
  // Throws Failure (Exit::plugin) if there is none, or a wrong one. Graphs of one topology are
  // checked once. [worker]
  const sculpt_factor_graph& of(int worker, void* session, std::int64_t example);

 private:
  const Component& features_;
  const sculpt_ext_factor_graph* table_;
  std::vector<std::unordered_set<std::uint64_t>> valid_topologies_;  // [threads]
};

}  // namespace sculpt::core
