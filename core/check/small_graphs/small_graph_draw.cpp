// Draws small graphs and their scores.

#include <algorithm>

#include "check/small_graphs/small_graph.hpp"

namespace sculpt::core {
namespace {

std::size_t cell_count_of(const SmallGraph& graph, const std::vector<std::int32_t>& scope) {
  std::size_t cells = 1;
  for (const std::int32_t v : scope) {
    cells *= static_cast<std::size_t>(graph.states[static_cast<std::size_t>(v)]);
  }
  return cells;
}

// Adds a factor with its own table, or sometimes with an existing table of the same size.
void add_factor(Random& random, SmallGraph& graph, std::vector<std::int32_t> scope) {
  const std::size_t cells = cell_count_of(graph, scope);
  std::vector<std::size_t> same_size_tables;
  for (std::size_t table = graph.states.size(); table < graph.tables.size(); ++table) {
    if (graph.tables[table].size() == cells) same_size_tables.push_back(table);
  }
  std::size_t table = graph.tables.size();
  if (!same_size_tables.empty() && random.chance(2)) {
    table = same_size_tables[random.below(same_size_tables.size())];
  } else {
    graph.tables.emplace_back(cells, 0.0);
  }
  graph.factors.push_back({std::move(scope), table});
}

void join_chain(Random& random, SmallGraph& graph) {
  const bool has_gaps = random.chance(4);
  for (std::int32_t v = 1; v < static_cast<std::int32_t>(graph.states.size()); ++v) {
    if (!has_gaps || !random.chance(3)) add_factor(random, graph, {v - 1, v});
  }
}

// Joins neighbours in pairs only, triples only, or both, sometimes with gaps. Returns true if it
// joined a triple.
bool join_order_two(Random& random, SmallGraph& graph) {
  const bool has_gaps = random.chance(3);
  const std::uint64_t kind = random.below(4);
  const auto variables = static_cast<std::int32_t>(graph.states.size());
  bool triple = false;
  for (std::int32_t v = 1; v < variables; ++v) {
    if (kind != 0 && !(has_gaps && random.chance(3))) add_factor(random, graph, {v - 1, v});
    if (kind == 1 || v < 2 || (has_gaps && random.chance(3))) continue;
    add_factor(random, graph, {v - 2, v - 1, v});
    triple = true;
  }
  return triple;
}

// Joins every variable to an earlier one, or to none.
void join_forest(Random& random, SmallGraph& graph) {
  for (std::int32_t v = 1; v < static_cast<std::int32_t>(graph.states.size()); ++v) {
    if (random.chance(6)) continue;
    const auto other = static_cast<std::int32_t>(random.integer(0, v - 1));
    add_factor(random, graph, random.chance(2) ? std::vector{v, other} : std::vector{other, v});
  }
}

// Adds factors over 1 to 3 random variables, or over pairs only.
void add_random_factors(Random& random, SmallGraph& graph, bool pairwise) {
  const auto variables = static_cast<std::int64_t>(graph.states.size());
  const std::int64_t factors = random.integer(0, variables + 1);
  for (std::int64_t f = 0; f < factors; ++f) {
    std::vector<std::int32_t> scope(graph.states.size());
    for (std::size_t v = 0; v < scope.size(); ++v) scope[v] = static_cast<std::int32_t>(v);
    for (std::size_t v = scope.size(); v > 1; --v) {
      std::swap(scope[v - 1], scope[random.below(v)]);
    }
    const std::int64_t size = pairwise ? 2 : random.integer(1, 3);
    if (size > variables) continue;
    scope.resize(static_cast<std::size_t>(size));
    add_factor(random, graph, std::move(scope));
  }
}

// Adds the classes that every graph of these classes also has.
std::uint32_t with_implied_classes(std::uint32_t classes) {
  if ((classes & SCULPT_GRAPH_SINGLE) != 0) classes |= SCULPT_GRAPH_CHAIN;
  if ((classes & SCULPT_GRAPH_CHAIN) != 0) {
    classes |= SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_ORDER_TWO;
  }
  return classes;
}

// Makes pair tables reward equal labels: the diagonal is at least 0, all other cells are 0.
void make_attractive(SmallGraph& graph) {
  for (const SmallGraph::Factor& factor : graph.factors) {
    if (factor.scope.size() != 2) continue;
    const auto rows =
        static_cast<std::size_t>(graph.states[static_cast<std::size_t>(factor.scope[0])]);
    const auto columns =
        static_cast<std::size_t>(graph.states[static_cast<std::size_t>(factor.scope[1])]);
    std::vector<double>& table = graph.tables[factor.table];
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        double& cell = table[r * columns + c];
        cell = r == c ? std::abs(cell) : 0;
      }
    }
  }
}

}  // namespace

SmallGraph random_small_graph(Random& random, const GraphDemands& demands, int number,
                              std::int64_t max_variable_count) {
  const std::vector<std::uint32_t>& all = demands.alternatives;
  return random_small_graph(random, all[all.size() > 1 ? random.below(all.size()) : 0], number,
                            max_variable_count);
}

SmallGraph random_small_graph(Random& random, std::uint32_t demands, int number,
                              std::int64_t max_variable_count) {
  const std::int64_t growing_limit = std::min<std::int64_t>(max_variable_count, 1 + number / 10);
  const bool single = (demands & SCULPT_GRAPH_SINGLE) != 0;
  const std::int64_t variables = single ? 1 : random.integer(1, growing_limit);
  const bool has_equal_states = random.chance(2);
  std::vector<std::int32_t> states;
  auto count = static_cast<std::int32_t>(random.integer(1, 3));
  for (std::int64_t v = 0; v < variables; ++v) {
    if (!has_equal_states) count = static_cast<std::int32_t>(random.integer(1, 3));
    states.push_back((demands & SCULPT_GRAPH_BINARY) != 0 ? 2 : count);
  }
  return random_graph_of(random, demands, std::move(states));
}

SmallGraph random_graph_of(Random& random, std::uint32_t demands,
                           std::vector<std::int32_t> states) {
  SmallGraph graph;
  for (const std::int32_t count : states) {
    graph.tables.emplace_back(static_cast<std::size_t>(count), 0.0);
  }
  graph.states = std::move(states);
  graph.classes = with_implied_classes(demands);
  const bool forest = (graph.classes & SCULPT_GRAPH_FOREST) != 0;
  // If a set also has PAIRWISE or FOREST, only chains remain.
  const bool order_two = (graph.classes & SCULPT_GRAPH_ORDER_TWO) != 0;
  const bool pairwise = (graph.classes & SCULPT_GRAPH_PAIRWISE) != 0;
  // Solvers of larger classes also get chains that are marked as such, because they may have a
  // faster algorithm for them.
  if ((graph.classes & SCULPT_GRAPH_CHAIN) != 0 || (order_two && (forest || pairwise)) ||
      (!order_two && random.chance(forest ? 2 : 3))) {
    graph.classes |= with_implied_classes(SCULPT_GRAPH_CHAIN);
    join_chain(random, graph);
  } else if (order_two) {
    const bool triple = join_order_two(random, graph);
    if (!triple && random.chance(2)) graph.classes |= with_implied_classes(SCULPT_GRAPH_CHAIN);
  } else if (forest) {
    join_forest(random, graph);
  } else {
    add_random_factors(random, graph, pairwise);
  }
  return graph;
}

SmallGraph random_grid(Random& random, std::uint32_t demands, std::int32_t rows,
                       std::int32_t columns) {
  SmallGraph graph;
  graph.classes = demands;
  const std::int32_t variables = rows * columns;
  graph.states.assign(static_cast<std::size_t>(variables), 2);
  graph.tables.assign(graph.states.size(), std::vector<double>(2, 0.0));
  for (std::int32_t v = 0; v < variables; ++v) {
    if (v % columns + 1 < columns) add_factor(random, graph, {v, v + 1});
    if (v + columns < rows * columns) add_factor(random, graph, {v, v + columns});
  }
  return graph;
}

SmallGraph random_frustrated_graph(Random& random, std::uint32_t demands,
                                   std::int64_t max_variable_count) {
  SmallGraph graph;
  graph.classes = demands;
  const std::int64_t variables = random.integer(3, std::max<std::int64_t>(max_variable_count, 3));
  const bool binary = (demands & SCULPT_GRAPH_BINARY) != 0 || random.chance(2);
  for (std::int64_t v = 0; v < variables; ++v) {
    graph.states.push_back(binary ? 2 : static_cast<std::int32_t>(random.integer(2, 3)));
    graph.tables.emplace_back();
    for (std::int32_t k = 0; k < graph.states.back(); ++k) {
      graph.tables.back().push_back(0.1 * random.normal());
    }
  }
  for (std::int32_t v = 1; v < static_cast<std::int32_t>(variables); ++v) {
    for (std::int32_t u = 0; u < v; ++u) {
      if (!random.chance(4)) add_factor(random, graph, {u, v});
    }
  }
  for (const SmallGraph::Factor& factor : graph.factors) {
    const double diagonal_score = random.chance(2) ? -1 : 1;
    std::vector<double>& table = graph.tables[factor.table];
    const auto columns =
        static_cast<std::size_t>(graph.states[static_cast<std::size_t>(factor.scope[1])]);
    for (std::size_t c = 0; c < table.size(); ++c) {
      table[c] = 0.2 * random.normal() + (c / columns == c % columns ? diagonal_score : 0);
    }
  }
  if ((demands & SCULPT_GRAPH_ATTRACTIVE) != 0) make_attractive(graph);
  return graph;
}

void draw_scores(Random& random, SmallGraph& graph, int number) {
  const auto draw = [&]() -> double {
    switch (number % 6) {
      case 0:
        return static_cast<double>(random.integer(-2, 2));
      case 1:
        return random.normal();
      case 2:
        return random.chance(2) ? 0 : static_cast<double>(random.integer(-1, 1));
      case 3:
        return 1e10 * random.normal();
      case 4:
        return -1 - std::abs(random.normal());
      default:  // a sum of these in single precision loses all decimals
        return 1e7 * static_cast<double>(random.integer(-1, 1)) + random.normal();
    }
  };
  for (std::vector<double>& table : graph.tables) {
    for (double& cell : table) cell = draw();
  }
  if ((graph.classes & SCULPT_GRAPH_ATTRACTIVE) != 0) make_attractive(graph);
}

}  // namespace sculpt::core
