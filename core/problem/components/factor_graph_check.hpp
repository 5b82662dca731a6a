// factor_graph_check.hpp - checks that the offsets of a factor graph stay within its arrays.
//
// Called by FactorGraphs before a map_solver, a loss or the host reads a graph of the features, and
// by check.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <string>

namespace sculpt::core {

// Returns what is wrong with the graph ("factor 3 of its factor graph ..."), "" if every scope,
// table and state is in range. Time is linear in the size of the scopes.
std::string factor_graph_fault(const sculpt_factor_graph& graph);

}  // namespace sculpt::core
