#include "check/small_graphs/narrow_graphs.hpp"

#include <algorithm>

#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

constexpr std::int32_t grid_rows = 3;
constexpr std::int32_t grid_columns = 4;

// Returns the numbers of states of the variables of each graph.
std::vector<std::vector<std::int32_t>> shapes_of(std::uint32_t demands) {
  if ((demands & SCULPT_GRAPH_SINGLE) != 0) {
    if ((demands & SCULPT_GRAPH_BINARY) != 0) return {{2}};
    return {{26}, {13}, {12}, {6}};
  }
  std::vector<std::vector<std::int32_t>> shapes;
  for (std::size_t length = 1; length <= 9; ++length) shapes.emplace_back(length, 2);
  shapes.emplace_back(13, 2);
  if ((demands & SCULPT_GRAPH_BINARY) != 0) return shapes;
  shapes.insert(shapes.end(), {{26}, {26, 26}, {1, 26, 2, 13}, {2, 5, 3, 1, 4, 2, 3}});
  shapes.emplace_back(7, 3);
  return shapes;
}

std::int64_t assignment_count_of(const std::vector<std::int32_t>& states) {
  std::int64_t count = 1;
  for (const std::int32_t states_of_variable : states) count *= states_of_variable;
  return count;
}

}  // namespace

bool may_have_cycles(std::uint32_t classes) {
  constexpr std::uint32_t acyclic_classes =
      SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_ORDER_TWO;
  return (classes & acyclic_classes) == 0;
}

std::vector<SmallGraph> narrow_graphs(Random& random, const GraphDemands& demands,
                                      const NarrowGraphs& series) {
  constexpr std::int64_t grid_assignments = 1 << (grid_rows * grid_columns);
  std::vector<SmallGraph> graphs;
  const auto add = [&](SmallGraph graph) {
    draw_scores(random, graph, static_cast<int>(graphs.size()));
    graphs.push_back(std::move(graph));
  };
  for (int round = 0; round < series.rounds; ++round) {
    for (const std::uint32_t classes : demands.alternatives) {
      const std::uint32_t drawn = round % 2 == 0 ? classes | SCULPT_GRAPH_CHAIN : classes;
      for (const std::vector<std::int32_t>& states : shapes_of(classes)) {
        if (assignment_count_of(states) > series.max_assignments) continue;
        add(random_graph_of(random, drawn, states));
      }
      if (may_have_cycles(classes) && grid_assignments <= series.max_assignments) {
        add(random_grid(random, classes, grid_rows, grid_columns));
      }
    }
  }
  return graphs;
}

}  // namespace sculpt::core
