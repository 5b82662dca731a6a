// map_solver_caller.hpp - calls a map_solver on a small graph, without an experiment. Used by tests
// of map_solvers.
#pragma once

#include "check/answers/witness.hpp"
#include "check/fixture/oracle_query.hpp"
#include "check/small_graphs/small_graph.hpp"
#include "problem/components/count_loss.hpp"

namespace sculpt::core {

class MapSolverCaller {
 public:
  // Requires a sealed map_solver. Two sessions: worker 0 and 1.
  explicit MapSolverCaller(const Component& component)
      : component_(component),
        map_relaxed_table_(component.extension<sculpt_ext_map_cut>()),
        sessions_(component, 2) {}

  const Component& component() const { return component_; }
  // Returns the answer. Throws Failure in the solver's name if it is no assignment or not finite.
  OwnedAnswer solve(const SmallGraph& graph, const FactorGraphData& data, std::uint64_t seed = 1,
                    int worker = 0);
  // The same, with a graph that lives for this query only.
  OwnedAnswer solve(const SmallGraph& graph) { return solve(graph, FactorGraphData(graph, 0)); }

  // relaxes() is true if relaxed answers (sculpt/ext/cut.h) are offered. relaxed() returns one with
  // its beliefs, NaN where the solver did not write. Throws as solve(), and for labels of a
  // fractional answer.
  bool relaxes() const { return map_relaxed_table_ != nullptr; }
  OwnedAnswer relaxed(const SmallGraph& graph, const FactorGraphData& data);
  OwnedAnswer relaxed(const SmallGraph& graph) { return relaxed(graph, FactorGraphData(graph, 0)); }

  // Returns the answer with its witness (sculpt/ext/draft/witness.h). Requires that the solver
  // offers it. Throws as solve().
  OwnedAnswer prove(const SmallGraph& graph, const FactorGraphData& data, Witness& witness);

  void* session() { return sessions_.for_worker(0); }

 private:
  OwnedAnswer checked_answer(const SmallGraph& graph, const FactorGraphData& data,
                             const Answer& buffer) const;

  const Component& component_;
  const sculpt_ext_map_cut* map_relaxed_table_;  // nullptr: not offered
  Sessions sessions_;
};

}  // namespace sculpt::core
