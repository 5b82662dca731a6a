// graph_classes.hpp - tests whether a graph of the features has the classes that it promises.
//
// Called by the test features.classes. Plugins of kind map_solver and losses that demand a class
// read the graph without a check of it. A wrong promise gives a wrong EXACT answer or a crash.
// Shares no code with the code that sets the classes (sdk, plugins).
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <span>
#include <string>

namespace sculpt::core {

// Returns what contradicts a structural class ("chain: factor 7 joins the variables 2, 5"), or "".
// Requires factor_graph_fault(graph) == "".
std::string graph_class_fault(const sculpt_factor_graph& graph);

// Returns a text about the first pair of variables that is not attractive, or "". Not attractive
// means that the tables of the pair together reward different labels:
//
//   theta(k, k) + theta(l, l) < theta(k, l) + theta(l, k)   for labels k, l that both have
//
// Requires factor_graph_fault(graph) == ""; theta [theta_size].
std::string attractive_fault(const sculpt_factor_graph& graph, std::span<const double> theta);

}  // namespace sculpt::core
