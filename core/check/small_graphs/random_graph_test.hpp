// random_graph_test.hpp - calls a map_solver on random small graphs until an answer is wrong.
//
// Shared by the tests of map_solvers and of their relaxed answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/fixture/test_fixture.hpp"
#include "check/small_graphs/map_solver_caller.hpp"

namespace sculpt::core {

// Returns the map_solver of the experiment. Skips the test if the oracle is no map_solver. Also
// skips if a library is checked and the map_solver belongs to another library.
const Component& map_solver_of(TestFixture& fixture, TestContext& context);

// Skips the test if the map_solver gives no relaxed answers.
void require_relaxed(const Component& map_solver, TestContext& context);

// Return the number of graphs, and their largest number of variables.
int graph_count(TestFixture& fixture);
std::int64_t max_variables(TestFixture& fixture);

// Solves a graph. Returns what is wrong with the answer, as lines, or none.
using GraphFault = std::function<std::vector<std::string>(const SmallGraph&)>;

// Which graphs a test uses.
struct GraphSeries {
  const char* test;            // seeds the graphs
  bool has_conflicts = false;  // every second random graph is a random_frustrated_graph(), if the
                               // classes allow cycles
  bool stores_assignments = false;  // the test stores all assignments: larger graphs have few
};

// Tests graphs of the classes that `solver` demands: random small ones, narrow_graphs(), and the
// graphs of the experiment's examples with random scores. The first error ends the test, with its
// graph made small.
void each_graph(TestFixture& fixture, TestContext& context, const GraphSeries& series,
                const MapSolverCaller& solver, const GraphFault& fault);

// Returns `  answer  [1 0]: score 3`.
std::string assignment_text(const SmallGraph& graph, const std::string& role,
                            const std::vector<std::int32_t>& y);

}  // namespace sculpt::core
