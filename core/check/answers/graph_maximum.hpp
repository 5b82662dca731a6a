// graph_maximum.hpp - finds the best assignment of a factor graph that is too large to list.
//
// Eliminates one variable after the other:
//
//   m(y_N) = max over y_v of the sum of all factors with v,   N: the other variables of these
//
// The variable with the smallest table m comes first. The work grows with the size of the tables,
// not with the number of assignments. So chains, trees and narrow grids of any length are solved
// exactly. Shares no code with map_solvers. Dechter, Artificial Intelligence 113 (1999).
//
// Called by answer_comparison and claims.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <optional>
#include <span>
#include <vector>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// Returns an assignment with the largest sum of theta [graph.theta_size]. Nothing if there is none,
// or if a table would have more than `max_cells` cells, or all of them more than 20 times as many.
// Requires factor_graph_fault(graph) == "".
std::optional<std::vector<std::int32_t>> best_assignment_of_graph(const sculpt_factor_graph& graph,
                                                                  std::span<const double> theta,
                                                                  std::int64_t max_cells);

// Returns the output with the largest <w, psi> + loss_weight * Delta by the factor graph of the
// features, with its psi and loss. Nothing if the outputs are not all assignments of a factor
// graph, the graph is too wide, or the loss does not split over it.
std::optional<Output> best_output_of_graph(TestFixture& fixture, const OracleQuery& query);

}  // namespace sculpt::core
