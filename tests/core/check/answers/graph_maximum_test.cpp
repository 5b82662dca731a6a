// The maximum of a factor graph by elimination, against all assignments.

#include "check/answers/graph_maximum.hpp"

#include <doctest/doctest.h>

#include "check/small_graphs/best_assignment.hpp"

using namespace sculpt::core;

namespace {

// A chain of variables with two states: unary scores of random sign, and pairs that reward equal
// labels by 1.
SmallGraph long_chain(Random& random, std::size_t length) {
  SmallGraph graph;
  graph.states.assign(length, 2);
  for (std::size_t v = 0; v < length; ++v) graph.tables.push_back({0, random.normal()});
  graph.tables.push_back({1, 0, 0, 1});
  for (std::size_t v = 1; v < length; ++v) {
    graph.factors.push_back(
        {{static_cast<std::int32_t>(v - 1), static_cast<std::int32_t>(v)}, length});
  }
  return graph;
}

}  // namespace

TEST_CASE("the maximum of a factor graph by elimination is that of all assignments") {
  Random random(1, "elimination");
  for (const std::uint32_t classes :
       {std::uint32_t{0}, std::uint32_t{SCULPT_GRAPH_PAIRWISE}, std::uint32_t{SCULPT_GRAPH_FOREST},
        std::uint32_t{SCULPT_GRAPH_CHAIN}, std::uint32_t{SCULPT_GRAPH_ORDER_TWO}}) {
    for (int number = 0; number < 200; ++number) {
      SmallGraph graph = random_small_graph(random, classes, number, 6);
      draw_scores(random, graph, number);
      const FactorGraphData data(graph, 0);
      const auto y = best_assignment_of_graph(data.raw(), graph.theta(), 100000);
      REQUIRE(y.has_value());
      const double rounding = 2 * graph.largest_terms().rounding();
      CHECK(graph.score(*y) >= best_assignment(graph)->value - rounding);
    }
  }
}

TEST_CASE("the maximum of a long chain by elimination is that of a dynamic program") {
  Random random(2, "long chain");
  const SmallGraph graph = long_chain(random, 500);
  const FactorGraphData data(graph, 0);
  const auto y = best_assignment_of_graph(data.raw(), graph.theta(), 100);
  REQUIRE(y.has_value());
  double best[2] = {graph.tables[0][0], graph.tables[0][1]};
  for (std::size_t v = 1; v < graph.states.size(); ++v) {
    const double zero = std::max(best[0] + 1, best[1]) + graph.tables[v][0];
    const double one = std::max(best[0], best[1] + 1) + graph.tables[v][1];
    best[0] = zero;
    best[1] = one;
  }
  CHECK(graph.score(*y) == doctest::Approx(std::max(best[0], best[1])).epsilon(1e-12));
}

TEST_CASE("a factor graph that is too wide, or that has no assignment, has no maximum") {
  Random random(3, "wide");
  const SmallGraph grid = random_grid(random, SCULPT_GRAPH_PAIRWISE, 8, 8);
  const FactorGraphData data(grid, 0);
  CHECK_FALSE(best_assignment_of_graph(data.raw(), grid.theta(), 100).has_value());
  CHECK(best_assignment_of_graph(data.raw(), grid.theta(), 100000).has_value());
  SmallGraph none;
  none.states = {2, 0};
  none.tables = {{1, 2}, {}};
  const FactorGraphData no_assignment(none, 0);
  CHECK_FALSE(best_assignment_of_graph(no_assignment.raw(), none.theta(), 100).has_value());
}
