// best_assignment.hpp - finds the best assignment of a small graph by trying all of them.
//
// Used by tests of map_solvers. Shares no code with map_solvers.
#pragma once

#include <optional>
#include <vector>

#include "check/small_graphs/small_graph.hpp"

namespace sculpt::core {

struct BestAssignment {
  std::vector<std::int32_t> y;
  double value = 0;  // its score
};

// Returns an assignment with the largest score. Empty if a variable has no state. Takes some
// nanoseconds for each assignment.
std::optional<BestAssignment> best_assignment(const SmallGraph& graph);

}  // namespace sculpt::core
