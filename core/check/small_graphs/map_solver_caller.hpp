// map_solver_caller.hpp - asks a map_solver about a small graph, without any experiment around it.
#pragma once

#include "check/fixture/oracle_query.hpp"
#include "check/small_graphs/small_graph.hpp"
#include "problem/components/count_loss.hpp"

namespace sculpt::core {

class MapSolverCaller {
 public:
  // Requires a sealed map_solver. Two sessions: worker 0 and 1.
  explicit MapSolverCaller(const Component& component)
      : component_(component),
        map_cut_(component.extension<sculpt_ext_map_cut>()),
        sessions_(component, 2) {}

  const Component& component() const { return component_; }
  // Refuses, in the solver's name, an answer that is no assignment, or not finite.
  OwnedAnswer solve(const SmallGraph& graph, const FactorGraphData& lent, std::uint64_t seed = 1,
                    int worker = 0);
  // The same about a graph that is lent for this question alone.
  OwnedAnswer solve(const SmallGraph& graph) { return solve(graph, FactorGraphData(graph, 0)); }

  // Whether it offers relaxed answers (sculpt/ext/cut.h), and one of them, with its beliefs, in
  // which what the solver did not write is NaN. Refuses in its name what solve() refuses, and
  // labels of a fractional answer.
  bool relaxes() const { return map_cut_ != nullptr; }
  OwnedAnswer relaxed(const SmallGraph& graph, const FactorGraphData& lent);
  OwnedAnswer relaxed(const SmallGraph& graph) { return relaxed(graph, FactorGraphData(graph, 0)); }

  void* session() { return sessions_.of(0); }

 private:
  OwnedAnswer checked(const SmallGraph& graph, const FactorGraphData& lent,
                      const Answer& answer) const;

  const Component& component_;
  const sculpt_ext_map_cut* map_cut_;  // nullptr: not offered
  Sessions sessions_;
};

// The best assignment of a graph by looking at every one; empty when there is none.
struct BestAssignment {
  std::vector<std::int32_t> y;
  double value = 0;
};
std::optional<BestAssignment> best_assignment(const SmallGraph& graph);

}  // namespace sculpt::core
