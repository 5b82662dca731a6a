// factor_graph_check.hpp - do the offsets of a factor graph stay within its arrays?
//
// Called by MapQueries, before a map_solver or a loss reads a graph of the features, and by
// check.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <string>

namespace sculpt::core {

// What is wrong with the graph ("factor 3 of its factor graph ..."), or "" when every scope, table
// and state stays in range. Time linear in the size of the scopes.
std::string factor_graph_fault(const sculpt_factor_graph& graph);

}  // namespace sculpt::core
