// random_graph_test.hpp - a map_solver is asked about random small graphs, until an answer is
// wrong.
//
// Shared by the tests of map_solvers and of their relaxed answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/fixture/test_fixture.hpp"
#include "check/small_graphs/map_solver_caller.hpp"

namespace sculpt::core {

// The map_solver of the experiment. Ends the test where its oracle is none, or where a library is
// asked about and the map_solver is of another one: what it says of random graphs depends on it
// alone.
const Component& map_solver_of(TestFixture& fixture, TestContext& context);

// Ends the test where it offers no relaxed answers.
void require_relaxed(const Component& map_solver, TestContext& context);

// How many graphs, and how many variables at most.
int graph_count(TestFixture& fixture);
std::int64_t most_variables(TestFixture& fixture);

// Asks about a graph and says what is wrong with the answer, as lines, or none.
using GraphFault = std::function<std::vector<std::string>(const SmallGraph&)>;

// Goes through random graphs of the classes that `solver` takes; the first fault, with its graph
// made small, ends the test. With `conflicts`, every other one is a random_frustrated_graph().
void each_graph(TestFixture& fixture, TestContext& context, const char* test,
                const MapSolverCaller& solver, bool conflicts, const GraphFault& fault);

// `  answer  [1 0]: score 3`
std::string assignment_text(const SmallGraph& graph, const std::string& role,
                            const std::vector<std::int32_t>& y);

}  // namespace sculpt::core
