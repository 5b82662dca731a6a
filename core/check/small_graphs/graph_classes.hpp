// graph_classes.hpp - does a graph of the features have the classes that it promises?
//
// Called by the test features.classes. Map_solvers and losses that demand a class read the graph by
// it without a look: a promise that is broken makes an EXACT answer wrong, or worse. Shares no code
// with those who make the promises (sdk, plugins).
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <span>
#include <string>

namespace sculpt::core {

// What contradicts a promise of its structure ("chain: factor 7 joins the variables 2, 5"), or "".
// Requires factor_graph_fault(graph) == "".
std::string broken_class(const sculpt_factor_graph& graph);

// The pair of variables whose tables together reward labels that differ,
//
//   theta(k, k) + theta(l, l) < theta(k, l) + theta(l, k)   for labels k, l that both have,
//
// in words, or "". Requires the same; theta [theta_size].
std::string non_attractive_pair(const sculpt_factor_graph& graph, std::span<const double> theta);

}  // namespace sculpt::core
