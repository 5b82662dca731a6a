// Graphs with more variables and states than the random small ones.

#include "check/small_graphs/narrow_graphs.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("narrow graphs have every length up to 9, 13 variables, and 26 states") {
  Random random(4, "narrow");
  for (const std::uint32_t classes :
       {std::uint32_t{0}, std::uint32_t{SCULPT_GRAPH_FOREST}, std::uint32_t{SCULPT_GRAPH_CHAIN}}) {
    std::vector<bool> has_length(14, false);
    bool has_26_states = false;
    for (const SmallGraph& graph : narrow_graphs(random, GraphDemands{{classes}}, {8192, 2})) {
      has_length[graph.states.size()] = true;
      has_26_states = has_26_states || graph.states == std::vector<std::int32_t>{26, 26};
      CHECK((graph.classes & classes) == classes);
    }
    for (const std::size_t length : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 13U})
      CHECK(has_length[length]);
    CHECK(has_26_states);
  }
  for (const SmallGraph& graph :
       narrow_graphs(random, GraphDemands{{SCULPT_GRAPH_BINARY}}, {512, 1})) {
    CHECK(graph.states == std::vector<std::int32_t>(graph.states.size(), 2));
    CHECK(graph.states.size() <= 9);
  }
}
