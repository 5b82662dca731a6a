// graph_demands.hpp - which classes of graphs a map_solver or a loss takes, and whether a graph has
// them.
//
// Called by MapQueries and MapOracle when they bind and before they lend a graph, and by the
// tests of `check`, which draw graphs of each alternative.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

// "chain, binary" for SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_BINARY; "no class" for 0.
std::string graph_class_names(std::uint32_t classes);

// Whether a graph of these classes is all that is demanded; CHAIN stands for ORDER_TWO too.
bool has_classes(std::uint32_t classes, std::uint32_t demands);

// One set of classes, or several of which a graph needs to have one.
struct GraphDemands {
  std::vector<std::uint32_t> alternatives = {0};  // at least one

  bool met_by(std::uint32_t classes) const;
  // "pairwise, forest graphs or order-two graphs"
  std::string text() const;
};

// What a sealed map_solver takes: by the draft map-demands where it offers that, else by `demands`.
GraphDemands solver_demands(const Component& map_solver);
// The classes that its frontier needs besides.
std::uint32_t solver_frontier_demands(const Component& map_solver);

}  // namespace sculpt::core
