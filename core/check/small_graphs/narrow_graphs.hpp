// narrow_graphs.hpp - graphs with more variables or states than the random small ones, but with few
// assignments.
//
// Many faults of a map_solver need six variables, an odd length or a large label. So these graphs
// have every number of variables up to 9, and 13; and up to 26 states. Used by random_graph_test
// and frontier_tests.
#pragma once

#include <cstdint>
#include <vector>

#include "check/small_graphs/small_graph.hpp"

namespace sculpt::core {

struct NarrowGraphs {
  std::int64_t max_assignments = 8192;
  int rounds = 1;  // scores for each number of variables and states
};

// Returns graphs of each alternative of the demands, with scores. Every second round has chains,
// because all alternatives allow them.
std::vector<SmallGraph> narrow_graphs(Random& random, const GraphDemands& demands,
                                      const NarrowGraphs& series);

// True if graphs of these classes may have cycles.
bool may_have_cycles(std::uint32_t classes);

}  // namespace sculpt::core
