// Random small graphs: their classes, their scores, and how they shrink.

#include "check/small_graphs/small_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/components/factor_graph_check.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

using namespace sculpt::core;

namespace {

bool joins_neighbours_once(const SmallGraph& graph) {
  std::vector<std::vector<std::int32_t>> seen;
  for (const SmallGraph::Factor& factor : graph.factors) {
    if (factor.scope.size() != 2 || factor.scope[1] != factor.scope[0] + 1) return false;
    if (std::find(seen.begin(), seen.end(), factor.scope) != seen.end()) return false;
    seen.push_back(factor.scope);
  }
  return true;
}

// Gives joined variables the same number. A factor that joins equal numbers closes a cycle.
bool is_forest(const SmallGraph& graph) {
  std::vector<std::int32_t> tree(graph.states.size());
  std::iota(tree.begin(), tree.end(), 0);
  for (const SmallGraph::Factor& factor : graph.factors) {
    if (factor.scope.size() != 2) return false;
    const std::int32_t a = tree[static_cast<std::size_t>(factor.scope[0])];
    const std::int32_t b = tree[static_cast<std::size_t>(factor.scope[1])];
    if (a == b) return false;
    std::replace(tree.begin(), tree.end(), a, b);
  }
  return true;
}

}  // namespace

TEST_CASE("random small graphs have the classes that were requested, and are valid") {
  Random random(3, "classes");
  for (int number = 0; number < 300; ++number) {
    const SmallGraph chain = random_small_graph(random, SCULPT_GRAPH_CHAIN, number, 6);
    CHECK(joins_neighbours_once(chain));
    CHECK(is_forest(random_small_graph(random, SCULPT_GRAPH_FOREST, number, 6)));
    CHECK(random_small_graph(random, SCULPT_GRAPH_SINGLE, number, 6).states.size() == 1);
    const SmallGraph binary = random_small_graph(random, SCULPT_GRAPH_BINARY, number, 6);
    CHECK(std::count(binary.states.begin(), binary.states.end(), 2) ==
          static_cast<std::ptrdiff_t>(binary.states.size()));
    const SmallGraph any = random_small_graph(random, 0, number, 6);
    CHECK(any.states.size() <= 6);
    CHECK(factor_graph_fault(FactorGraphData(any, 0).raw()) == "");
  }
}

TEST_CASE("random small graphs of order two join two or three neighbours, at most once each") {
  Random random(4, "order two");
  int triples = 0;
  int chains = 0;
  for (int number = 0; number < 300; ++number) {
    const SmallGraph graph = random_small_graph(random, SCULPT_GRAPH_ORDER_TWO, number, 6);
    CHECK((graph.classes & SCULPT_GRAPH_ORDER_TWO) != 0);
    std::vector<std::vector<std::int32_t>> seen;
    bool triple = false;
    for (const SmallGraph::Factor& factor : graph.factors) {
      REQUIRE((factor.scope.size() == 2 || factor.scope.size() == 3));
      for (std::size_t k = 1; k < factor.scope.size(); ++k) {
        CHECK(factor.scope[k] == factor.scope[k - 1] + 1);
      }
      CHECK(std::find(seen.begin(), seen.end(), factor.scope) == seen.end());
      seen.push_back(factor.scope);
      triple = triple || factor.scope.size() == 3;
    }
    const bool chain = (graph.classes & SCULPT_GRAPH_CHAIN) != 0;
    CHECK_FALSE((chain && triple));
    triples += triple ? 1 : 0;
    chains += chain ? 1 : 0;
    CHECK(joins_neighbours_once(random_small_graph(
        random, SCULPT_GRAPH_ORDER_TWO | std::uint32_t{SCULPT_GRAPH_PAIRWISE}, number, 6)));
  }
  CHECK(triples > 100);
  CHECK(chains > 20);
}

TEST_CASE("random small graphs are drawn from every alternative of the demands") {
  Random random(6, "alternatives");
  const GraphDemands demands{
      {SCULPT_GRAPH_FOREST | std::uint32_t{SCULPT_GRAPH_PAIRWISE}, SCULPT_GRAPH_ORDER_TWO}};
  int triples = 0;
  int trees = 0;
  for (int number = 0; number < 300; ++number) {
    const SmallGraph graph = random_small_graph(random, demands, number, 6);
    CHECK(demands.is_met_by(graph.classes));
    const bool forest = (graph.classes & SCULPT_GRAPH_FOREST) != 0;
    if (forest) CHECK(is_forest(graph));
    trees += forest && !joins_neighbours_once(graph) ? 1 : 0;
    triples += forest ? 0 : 1;
  }
  CHECK(triples > 50);
  CHECK(trees > 30);
}

TEST_CASE("a small graph has the same scores as the graph that solvers get") {
  Random random(5, "scores");
  for (int number = 0; number < 200; ++number) {
    SmallGraph graph = random_small_graph(random, 0, number, 5);
    draw_scores(random, graph, number);
    const FactorGraphData graph_data(graph, 0);
    const std::vector<double> theta = graph.theta();
    REQUIRE(static_cast<std::int64_t>(theta.size()) == graph_data.raw().theta_size);
    each_assignment(graph.states, [&](const std::vector<std::int32_t>& y) {
      double sum = 0;
      for (const std::size_t cell : cells_of(graph_data.raw(), y)) sum += theta[cell];
      REQUIRE(std::abs(sum - graph.score(y)) <= 1e-12 * graph.terms(y).magnitude);
    });
  }
}

TEST_CASE("attractive graphs reward agreement") {
  Random random(7, "attractive");
  for (int number = 0; number < 100; ++number) {
    SmallGraph graph = random_small_graph(
        random, SCULPT_GRAPH_ATTRACTIVE | SCULPT_GRAPH_BINARY | SCULPT_GRAPH_PAIRWISE, number, 5);
    draw_scores(random, graph, number);
    for (const SmallGraph::Factor& factor : graph.factors) {
      const std::vector<double>& table = graph.tables[factor.table];
      CHECK(table[0] + table[3] >= table[1] + table[2]);
    }
  }
}

TEST_CASE("a graph shrinks to the variables that matter") {
  Random random(11, "shrink");
  int shrunk = 0;
  for (int number = 40; number < 100; ++number) {
    SmallGraph graph = random_small_graph(random, SCULPT_GRAPH_CHAIN, number, 6);
    draw_scores(random, graph, 0);
    // Fails if a pair table has a positive cell.
    const auto fails = [](const SmallGraph& candidate) {
      const auto& factors = candidate.factors;
      return std::any_of(factors.begin(), factors.end(), [&](const auto& factor) {
        const std::vector<double>& table = candidate.tables[factor.table];
        return *std::max_element(table.begin(), table.end()) > 0;
      });
    };
    if (!fails(graph)) continue;
    ++shrunk;
    shrink_graph(graph, fails);
    CHECK(fails(graph));
    CHECK(graph.states == std::vector<std::int32_t>{1, 1});
    CHECK(graph.theta() == std::vector<double>{0, 0, 1});
  }
  CHECK(shrunk > 20);
}
