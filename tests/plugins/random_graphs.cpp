#include "random_graphs.hpp"

#include <algorithm>
#include <limits>

namespace plugin_test {

std::int32_t draw(Random& random, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

std::vector<double> normal_vector(Random& random, std::size_t size) {
  std::normal_distribution<double> normal;
  std::vector<double> values(size);
  for (double& value : values) value = normal(random);
  return values;
}

std::vector<double> small_integers(Random& random, std::size_t size) {
  std::vector<double> values(size);
  for (double& value : values) value = draw(random, -2, 2);
  return values;
}

std::vector<std::int32_t> draw_output(Random& random, const sculpt_factor_graph& graph) {
  std::vector<std::int32_t> y(static_cast<std::size_t>(graph.variable_count));
  for (std::size_t v = 0; v < y.size(); ++v) y[v] = draw(random, 0, graph.states[v] - 1);
  return y;
}

RandomGraph random_chain(Random& random, std::int32_t length, bool shared, bool gaps) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  std::vector<std::int32_t> states(static_cast<std::size_t>(length), draw(random, 1, 5));
  for (std::int32_t& count : states) {
    if (!shared) count = draw(random, 1, 5);
    result.builder.add_variable(count);
  }
  std::int64_t table = -1;
  for (std::int32_t t = 1; t < length; ++t) {
    if (gaps && draw(random, 0, 2) == 0) continue;
    const auto place = static_cast<std::size_t>(t);
    if (!shared || table < 0) {
      table = result.builder.add_table(std::int64_t{states[place - 1]} * states[place]);
    }
    result.builder.add_factor({t - 1, t}, table);
  }
  return result;
}

RandomGraph random_graph(Random& random) {
  RandomGraph result;
  const std::int32_t variables = draw(random, 0, 6);
  std::vector<std::int32_t> states;
  for (std::int32_t v = 0; v < variables; ++v) {
    states.push_back(draw(random, 1, 4));
    result.builder.add_variable(states.back());
  }
  struct Table {
    std::int64_t begin, cells;
  };
  std::vector<Table> tables;
  const std::int32_t factors = draw(random, 0, 6);
  for (std::int32_t f = 0; f < factors; ++f) {
    std::vector<std::int32_t> scope(static_cast<std::size_t>(variables));
    for (std::size_t v = 0; v < scope.size(); ++v) scope[v] = static_cast<std::int32_t>(v);
    std::shuffle(scope.begin(), scope.end(), random);
    scope.resize(static_cast<std::size_t>(std::min(variables, draw(random, 0, 3))));
    std::int64_t cells = 1;
    for (const std::int32_t v : scope) cells *= states[static_cast<std::size_t>(v)];
    const auto same = std::find_if(tables.begin(), tables.end(),
                                   [cells](const Table& table) { return table.cells == cells; });
    if (same == tables.end() || draw(random, 0, 1) == 0) {
      tables.push_back({result.builder.add_table(cells), cells});
      result.builder.add_factor(scope, tables.back().begin);
    } else {
      result.builder.add_factor(scope, same->begin);
    }
  }
  return result;
}

double naive_score(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                   const std::vector<std::int32_t>& y) {
  double score = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    std::int64_t cell = 0;
    std::int64_t stride = 1;
    for (std::int64_t s = graph.scope_from[f + 1] - 1; s >= graph.scope_from[f]; --s) {
      const std::int32_t v = graph.scope[s];
      cell += stride * y[static_cast<std::size_t>(v)];
      stride *= graph.states[v];
    }
    score += theta.at(static_cast<std::size_t>(graph.table[f] + cell));
  }
  return score;
}

namespace {

// Assigns variables v - 1, ..., 0.
void assign_rest(const sculpt_factor_graph& graph, std::size_t v, std::vector<std::int32_t>& y,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit) {
  if (v == 0) return visit(y);
  for (y[v - 1] = 0; y[v - 1] < graph.states[v - 1]; ++y[v - 1]) {
    assign_rest(graph, v - 1, y, visit);
  }
}

void take(NaiveBest& best, double score, const std::vector<std::int32_t>& y) {
  if (score > best.value) {
    best.second = best.value;
    best.value = score;
    best.y = y;
  } else {
    best.second = std::max(best.second, score);
  }
}

}  // namespace

void each_output(const sculpt_factor_graph& graph,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit) {
  std::vector<std::int32_t> y(static_cast<std::size_t>(graph.variable_count));
  assign_rest(graph, y.size(), y, visit);
}

NaiveBest naive_best(const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  NaiveBest best;
  each_output(graph, [&](const std::vector<std::int32_t>& y) {
    take(best, naive_score(graph, theta, y), y);
  });
  return best;
}

Counts naive_counts(const sculpt_factor_graph& graph, const CountTables& tables,
                    const std::vector<std::int64_t>& limits, const std::vector<std::int32_t>& y) {
  Counts counts = {0, 0};
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const std::vector<double> cells(tables[k].begin(), tables[k].end());
    counts[k] = std::min(static_cast<std::int64_t>(naive_score(graph, cells, y)), limits[k]);
  }
  return counts;
}

std::map<Counts, NaiveBest> naive_frontier(const sculpt_factor_graph& graph,
                                           const std::vector<double>& theta,
                                           const CountTables& tables,
                                           const std::vector<std::int64_t>& limits) {
  std::map<Counts, NaiveBest> frontier;
  each_output(graph, [&](const std::vector<std::int32_t>& y) {
    take(frontier[naive_counts(graph, tables, limits, y)], naive_score(graph, theta, y), y);
  });
  return frontier;
}

}  // namespace plugin_test
