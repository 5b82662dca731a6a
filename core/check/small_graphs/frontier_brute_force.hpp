// frontier_brute_force.hpp - compares a map_solver's frontier of a small graph with all
// assignments. Used by tests of map_solvers.
#pragma once

#include <string>
#include <vector>

#include "check/small_graphs/map_solver_caller.hpp"
#include "problem/plugin/lent_frontier_query.hpp"

namespace sculpt::core {

// A small graph with counts on its cells.
struct CountedGraph {
  SmallGraph graph;
  std::vector<sculpt_count> counts;               // one or two
  std::vector<std::vector<std::int32_t>> tables;  // [counts][cells of theta]

  // Returns the counts of an assignment, each at most its limit.
  Counts counts_of(const std::vector<std::int32_t>& y) const;
  std::vector<std::string> lines() const;
};

CountedGraph draw_counts(Random& random, const SmallGraph& graph);

class FrontierBruteForce {
 public:
  // Requires a map_solver with a frontier.
  explicit FrontierBruteForce(MapSolverCaller& solver)
      : solver_(solver), table_(*solver.component().extension<sculpt_ext_frontier>()) {}

  // Returns what is wrong with the frontier, as lines, or none. Throws
  // Failure(Exit::config) if the solver refuses to begin it.
  std::vector<std::string> fault(const CountedGraph& counted);

 private:
  struct Shape {
    std::int64_t size[SCULPT_MOST_COUNTS];
  };
  Shape begin(sculpt_frontier_query& query);
  std::vector<double> slice(std::int64_t first, const Shape& shape);
  std::vector<std::int32_t> output_of(const Counts& counts);

  MapSolverCaller& solver_;
  const sculpt_ext_frontier& table_;
  LentFrontierQuery lent_;  // lives until the next begin()
};

}  // namespace sculpt::core
