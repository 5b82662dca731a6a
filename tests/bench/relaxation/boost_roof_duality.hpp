// boost_roof_duality.hpp - roof duality (plugins/lp/roof_duality.hpp) with the maximum flow of
// Boost.Graph.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>

namespace sculpt::bench {

// Returns the maximum of the linear program over the local polytope. The graph must be binary and
// pairwise.
double boost_roof_bound(const sculpt_factor_graph& graph, const double* theta);

}  // namespace sculpt::bench
