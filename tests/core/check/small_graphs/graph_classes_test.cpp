// What a graph promises, against what it was drawn as and what can be seen of its scopes.

#include "check/small_graphs/graph_classes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "check/fixture/factor_graph_reader.hpp"
#include "check/small_graphs/small_graph.hpp"

using namespace sculpt::core;

namespace {

SmallGraph joined_by(std::vector<std::vector<std::int32_t>> scopes, std::size_t variables) {
  SmallGraph graph;
  graph.states.assign(variables, 2);
  graph.tables.assign(variables, std::vector<double>(2, 0.0));
  for (std::vector<std::int32_t>& scope : scopes) {
    graph.tables.emplace_back(std::size_t{1} << scope.size(), 0.0);
    graph.factors.push_back({std::move(scope), graph.tables.size() - 1});
  }
  return graph;
}

// What is said when the graph promises that.
std::string broken(SmallGraph graph, std::uint32_t promised) {
  graph.classes = promised;
  return broken_class(FactorGraphData(graph, 0).raw());
}

// Whether the graph that is the whole of its parts is a tree of each: by taking leaves away.
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
  for (std::size_t before = pairs.size() + 1; before > pairs.size();) {
    before = pairs.size();
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
      const FactorGraphData lent(graph, 0);
      CHECK(broken_class(lent.raw()) == "");
      if ((classes & SCULPT_GRAPH_ATTRACTIVE) != 0) {
        CHECK(non_attractive_pair(lent.raw(), graph.theta()) == "");
      }
    }
  }
}

TEST_CASE("any graph breaks the promise of a forest where leaves cannot be taken until none is") {
  Random random(4, "forests");
  int forests = 0;
  for (int number = 0; number < 3000; ++number) {
    const SmallGraph graph =
        number % 3 == 0
            ? random_frustrated_graph(random, 0, 5)
            : random_small_graph(random, number % 3 == 1 ? SCULPT_GRAPH_PAIRWISE : 0, number, 5);
    const bool forest = has_no_cycle(graph);
    CHECK((broken(graph, SCULPT_GRAPH_FOREST) == "") == forest);
    forests += forest ? 1 : 0;
  }
  CHECK(forests > 500);
  CHECK(forests < 2500);
}

TEST_CASE("a broken promise is told with the factor that breaks it") {
  CHECK(broken(joined_by({{0, 1}, {1, 2}}, 3), SCULPT_GRAPH_CHAIN) == "");
  CHECK(broken(joined_by({{0, 1}, {0, 2}}, 3), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 4 joins the variables 0, 2");
  CHECK(broken(joined_by({{0, 1}, {2, 1}}, 3), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 4 joins the variables 2, 1");
  CHECK(broken(joined_by({{0, 1}, {0, 1}}, 2), SCULPT_GRAPH_CHAIN) ==
        "chain: factor 3 joins the variables 0, 1");
  CHECK(broken(joined_by({{0, 1}, {1, 0}}, 2), SCULPT_GRAPH_FOREST) == "");  // one pair
  CHECK(broken(joined_by({{0, 1, 2}}, 3), SCULPT_GRAPH_ORDER_TWO) == "");
  CHECK(broken(joined_by({{0, 1, 2}}, 3), SCULPT_GRAPH_PAIRWISE) ==
        "pairwise: factor 3 joins the variables 0, 1, 2");
  CHECK(broken(joined_by({{0, 2}}, 3), SCULPT_GRAPH_ORDER_TWO) ==
        "order-two: factor 3 joins the variables 0, 2");
  CHECK(broken(joined_by({{0, 1, 2, 3}}, 4), SCULPT_GRAPH_ORDER_TWO) != "");
  CHECK(broken(joined_by({{0}, {0, 1}}, 2), SCULPT_GRAPH_CHAIN) == "");  // a variable's own
  CHECK(broken(joined_by({}, 2), SCULPT_GRAPH_SINGLE) == "single: there are 2 variables");
  SmallGraph three = joined_by({}, 2);
  three.states[1] = 3;
  three.tables[1].push_back(0);
  CHECK(broken(three, SCULPT_GRAPH_BINARY) == "binary: variable 1 has 3 states");
}

TEST_CASE("two variables may be rewarded for labels that differ by one table, but not by all") {
  SmallGraph graph = joined_by({{0, 1}, {1, 0}}, 2);
  graph.tables[2] = {0, 2, 1, 0};
  graph.tables[3] = {2, 0, 0, 2};
  CHECK(non_attractive_pair(FactorGraphData(graph, 0).raw(), graph.theta()) == "");
  graph.tables[3] = {2, 0, 0, 0};
  CHECK(non_attractive_pair(FactorGraphData(graph, 0).raw(), graph.theta()) ==
        "the variables 0 and 1 are rewarded for labels 0 and 1 that differ, by 1");
}
