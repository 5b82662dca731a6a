// The check of the classes that a graph promises, on random graphs and on graphs with given scopes.

#include "check/small_graphs/graph_classes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "check/small_graphs/small_graph.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

using namespace sculpt::core;

namespace {

SmallGraph graph_with_scopes(std::vector<std::vector<std::int32_t>> scopes, std::size_t variables) {
  SmallGraph graph;
  graph.states.assign(variables, 2);
  graph.tables.assign(variables, std::vector<double>(2, 0.0));
  for (std::vector<std::int32_t>& scope : scopes) {
    graph.tables.emplace_back(std::size_t{1} << scope.size(), 0.0);
    graph.factors.push_back({std::move(scope), graph.tables.size() - 1});
  }
  return graph;
}

// Returns the error text if the graph promises these classes. Empty: it keeps the promise.
std::string broken_promise(SmallGraph graph, std::uint32_t promised) {
  graph.classes = promised;
  return graph_class_fault(FactorGraphData(graph, 0).raw());
}

// True if the graph has no cycle: then removing leaves again and again leaves no pair.
bool has_no_cycle(const SmallGraph& graph) {
  std::vector<std::vector<std::int32_t>> pairs;
  for (const SmallGraph::Factor& factor : graph.factors) {
    if (factor.scope.size() > 2) return false;
    if (factor.scope.size() < 2) continue;
    std::vector<std::int32_t> pair = factor.scope;
    std::sort(pair.begin(), pair.end());
    pairs.push_back(std::move(pair));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (std::size_t previous = pairs.size() + 1; previous > pairs.size();) {
    previous = pairs.size();
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(graph.states.size()); ++v) {
      const auto holds = [v](const auto& pair) { return pair[0] == v || pair[1] == v; };
      if (std::count_if(pairs.begin(), pairs.end(), holds) == 1) std::erase_if(pairs, holds);
    }
  }
  return pairs.empty();
}

}  // namespace

TEST_CASE("graphs keep the promises that they were drawn with") {
  Random random(3, "promises");
  for (const std::uint32_t classes :
       {std::uint32_t{0}, std::uint32_t{SCULPT_GRAPH_CHAIN}, std::uint32_t{SCULPT_GRAPH_FOREST},
        std::uint32_t{SCULPT_GRAPH_SINGLE}, std::uint32_t{SCULPT_GRAPH_ORDER_TWO},
        SCULPT_GRAPH_BINARY | SCULPT_GRAPH_ATTRACTIVE | std::uint32_t{SCULPT_GRAPH_PAIRWISE}}) {
    for (int number = 0; number < 500; ++number) {
      SmallGraph graph = random_small_graph(random, classes, number, 6);
      draw_scores(random, graph, number);
      const FactorGraphData graph_data(graph, 0);
      CHECK(graph_class_fault(graph_data.raw()) == "");
      if ((classes & SCULPT_GRAPH_ATTRACTIVE) != 0) {
        CHECK(attractive_fault(graph_data.raw(), graph.theta()) == "");
      }
    }
  }
}

TEST_CASE("a graph breaks the promise of a forest exactly if it has a cycle") {
  Random random(4, "forests");
  int forests = 0;
  for (int number = 0; number < 3000; ++number) {
    const SmallGraph graph =
        number % 3 == 0
            ? random_frustrated_graph(random, 0, 5)
            : random_small_graph(random, number % 3 == 1 ? SCULPT_GRAPH_PAIRWISE : 0, number, 5);
    const bool forest = has_no_cycle(graph);
    CHECK((broken_promise(graph, SCULPT_GRAPH_FOREST) == "") == forest);
    forests += forest ? 1 : 0;
  }
  CHECK(forests > 500);
  CHECK(forests < 2500);
}

TEST_CASE("the text of a broken promise names the factor that breaks it") {
  CHECK(broken_promise(graph_with_scopes({{0, 1}, {1, 2}}, 3), SCULPT_GRAPH_CHAIN) == "");
  CHECK(broken_promise(graph_with_scopes({{0, 1}, {0, 2}}, 3), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 4 joins the variables 0, 2");
  CHECK(broken_promise(graph_with_scopes({{0, 1}, {2, 1}}, 3), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 4 joins the variables 2, 1");
  CHECK(broken_promise(graph_with_scopes({{0, 1}, {0, 1}}, 2), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 3 joins the variables 0, 1");
  // The same pair twice, and a factor of one variable, are allowed.
  CHECK(broken_promise(graph_with_scopes({{0, 1}, {1, 0}}, 2), SCULPT_GRAPH_FOREST) == "");
  CHECK(broken_promise(graph_with_scopes({{0, 1, 2}}, 3), SCULPT_GRAPH_ORDER_TWO) == "");
  CHECK(broken_promise(graph_with_scopes({{0, 1, 2}}, 3), SCULPT_GRAPH_PAIRWISE) ==
        "pairwise: factor 3 joins the variables 0, 1, 2");
  CHECK(broken_promise(graph_with_scopes({{0, 2}}, 3), SCULPT_GRAPH_ORDER_TWO) ==
        "order-two: factor 3 joins the variables 0, 2");
  CHECK(broken_promise(graph_with_scopes({{0, 1, 2, 3}}, 4), SCULPT_GRAPH_ORDER_TWO) != "");
  CHECK(broken_promise(graph_with_scopes({{0}, {0, 1}}, 2), SCULPT_GRAPH_CHAIN) == "");
  CHECK(broken_promise(graph_with_scopes({}, 2), SCULPT_GRAPH_SINGLE) ==
        "single: there are 2 variables");
  SmallGraph three = graph_with_scopes({}, 2);
  three.states[1] = 3;
  three.tables[1].push_back(0);
  CHECK(broken_promise(three, SCULPT_GRAPH_BINARY) == "binary: variable 1 has 3 states");
}

TEST_CASE("the sum of the tables of two variables may not reward different labels, one table may") {
  SmallGraph graph = graph_with_scopes({{0, 1}, {1, 0}}, 2);
  graph.tables[2] = {0, 2, 1, 0};
  graph.tables[3] = {2, 0, 0, 2};
  CHECK(attractive_fault(FactorGraphData(graph, 0).raw(), graph.theta()) == "");
  graph.tables[3] = {2, 0, 0, 0};
  CHECK(attractive_fault(FactorGraphData(graph, 0).raw(), graph.theta()) ==
        "the variables 0 and 1 are rewarded for labels 0 and 1 that differ, by 1");
}
