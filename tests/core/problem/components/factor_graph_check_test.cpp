// A factor graph with a fault is refused before a map_solver reads it.

#include <doctest/doctest.h>

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"
#include "problem/components/factor_graph_check.hpp"
#include "problem/prediction/predictor.hpp"

using namespace sculpt::core;

namespace {

using Graph = ToyPlan::Graph;

// Returns the refusal of a prediction of two sequences of three positions with the map_solver.
// `change` changes the graph of the second one.
Refusal refusal_of_graph(const std::function<void(Graph&)>& change) {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}}, {{2, 1, 0}, {2, 1, 0}}};
  toy_plan().change_graph = [&](std::int64_t example, Graph& graph) {
    if (example == 1) change(graph);
  };
  return refusal_of([&] {
    Problem problem(toy_spec(toy_map_solver(), "predict"), Purpose::prediction, 1, {});
    const Vector w = zero_weights();
    Predictor(problem, w, 1).run(problem.dataset().split("predict"), {});
  });
}

}  // namespace

TEST_CASE("a graph with entries outside its arrays is refused with component, example and factor") {
  CHECK(refusal_of_graph([](Graph&) {}).text == "(accepted)");
  const std::string head = "counts: example 1: ";
  const std::string factor = " of its factor graph ";
  const std::pair<std::function<void(Graph&)>, std::string> faults[] = {
      {[](Graph& g) { g.scope_from[4] = 2; }, "factor 3" + factor + "has the scope [3, 2)"},
      {[](Graph& g) { g.scope_from[0] = -1; }, "factor 0" + factor + "has the scope [-1, 1)"},
      {[](Graph& g) { g.scope[4] = 3; }, "factor 3" + factor + "names variable 3 of 3"},
      {[](Graph& g) { g.scope[4] = -1; }, "factor 3" + factor + "names variable -1 of 3"},
      {[](Graph& g) { g.scope[6] = 1; }, "factor 4" + factor + "names variable 1 twice"},
      {[](Graph& g) { g.scope[1] = 0; },
       "factor 1" + factor + "is not the unary factor of variable 1"},
      {[](Graph& g) { g.table[2] = -1; }, "factor 2" + factor + "has 3 cells from -1 on, of 18"},
      {[](Graph& g) { g.table[4] = 10; }, "factor 4" + factor + "has 9 cells from 10 on, of 18"},
      {[](Graph& g) { g.table[4] = INT64_MAX - 4; },
       "factor 4" + factor + "has 9 cells from 9223372036854775803 on, of 18"},
      {[](Graph& g) { g.theta_size = 17; }, "factor 3" + factor + "has 9 cells from 9 on, of 17"},
      {[](Graph& g) { g.states[1] = -2; }, "variable 1" + factor + "has -2 states"},
      {[](Graph& g) { g.theta_size = -1; },
       "gives a factor graph of 3 variables, 5 factors and -1 table cells, or without its arrays"}};
  for (const auto& fault : faults) {  // clang 14 cannot capture structured bindings
    CAPTURE(fault.second);
    const Refusal refusal = refusal_of_graph(fault.first);
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.text == head + fault.second);
  }
}

TEST_CASE("graphs of one topology are checked once, graphs without a topology every time") {
  const auto refusal_with_topologies = [](std::uint64_t first_topology,
                                          std::uint64_t second_topology) {
    toy_plan() = {};
    toy_plan().prediction = {{{0, 1, 2}, {0, 1, 2}}, {{2, 1, 0}, {2, 1, 0}}};
    toy_plan().change_graph = [=](std::int64_t example, Graph& graph) {
      graph.topology = example == 0 ? first_topology : second_topology;
      if (example == 1) graph.scope[1] = 0;  // wrong, but the map_solver of the toy can read it
    };
    return refusal_of([&] {
      Problem problem(toy_spec(toy_map_solver(), "predict"), Purpose::prediction, 1, {});
      const Vector w = zero_weights();
      Predictor(problem, w, 1).run(problem.dataset().split("predict"), {});
    });
  };
  CHECK(refusal_with_topologies(7, 7).text == "(accepted)");
  CHECK(refusal_with_topologies(7, 8).exit == Exit::plugin);
  CHECK(refusal_with_topologies(0, 0).exit == Exit::plugin);
}

TEST_CASE("the number of cells of a large scope does not overflow") {
  constexpr std::int64_t size = 40;
  const std::vector<std::int32_t> states(size, INT32_MAX);
  std::vector<std::int32_t> scope;
  std::vector<std::int64_t> scope_from = {0};
  for (std::int32_t v = 0; v < size; ++v) {
    scope.push_back(v);
    scope_from.push_back(v + 1);
  }
  for (std::int32_t v = 0; v < size; ++v) scope.push_back(v);
  scope_from.push_back(2 * size);
  const std::vector<std::int64_t> table(size + 1, 0);
  sculpt_factor_graph graph = {};
  graph.struct_size = sizeof graph;
  graph.variable_count = size;
  graph.factor_count = size + 1;
  graph.theta_size = std::int64_t{1} << 31;
  graph.states = states.data();
  graph.scope_from = scope_from.data();
  graph.scope = scope.data();
  graph.table = table.data();
  CHECK(factor_graph_fault(graph) ==
        "factor 40 of its factor graph has 2147483649 cells from 0 on, of 2147483648");
}

TEST_CASE("a graph with only constant factors needs no scope") {
  const std::int64_t scope_from[] = {0, 0, 0};
  const std::int64_t table[] = {0, 1};
  sculpt_factor_graph graph = {};
  graph.struct_size = sizeof graph;
  graph.factor_count = 2;
  graph.theta_size = 2;
  graph.scope_from = scope_from;
  graph.table = table;
  CHECK(factor_graph_fault(graph).empty());
}
