// graph_demands.hpp - the graph classes that a map_solver or a loss demands, and whether a graph
// has them.
//
// Called by MapQueries and MapOracle when they bind and before they pass a graph on. Also called by
// the tests of `check`, which draw graphs of each alternative.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

// Returns "chain, binary" for SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_BINARY, "no class" for 0.
std::string graph_class_names(std::uint32_t classes);

// True if a graph of these classes meets the demands. CHAIN implies ORDER_TWO.
bool has_classes(std::uint32_t classes, std::uint32_t demands);

// One or more sets of classes. A graph must have all classes of at least one set.
struct GraphDemands {
  std::vector<std::uint32_t> alternatives = {0};  // at least one

  // True if a graph of these classes has all classes of one alternative.
  bool is_met_by(std::uint32_t classes) const;
  // Returns "pairwise, forest graphs or order-two graphs".
  std::string text() const;
};

// Returns what a sealed map_solver demands. Throws Failure(Exit::plugin) if it names no set.
GraphDemands solver_demands(const Component& map_solver);
// Returns the additional classes that its frontier demands.
std::uint32_t solver_frontier_demands(const Component& map_solver);

}  // namespace sculpt::core
