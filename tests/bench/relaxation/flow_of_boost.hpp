// flow_of_boost.hpp - roof duality (plugins/lp/roof_duality.hpp) by the maximum flow of
// Boost.Graph.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>

namespace sculpt::bench {

// The maximum of the linear program over the local polytope of a binary pairwise graph.
double roof_by_boost(const sculpt_factor_graph& graph, const double* theta);

}  // namespace sculpt::bench
