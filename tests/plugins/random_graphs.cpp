#include "random_graphs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

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

namespace {

// The numbers 0 .. count - 1 in random order.
std::vector<std::int32_t> shuffled_order(Random& random, std::int32_t count) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace

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

RandomGraph random_order_two(Random& random, std::int32_t length, bool shared, bool gaps) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_ORDER_TWO;
  std::vector<std::int32_t> states(static_cast<std::size_t>(length), draw(random, 1, 5));
  for (std::int32_t& count : states) {
    if (!shared) count = draw(random, 1, 5);
    result.builder.add_variable(count);
  }
  std::vector<std::vector<std::int32_t>> scopes;
  for (std::int32_t t = 1; t < length; ++t) {
    if (!gaps || draw(random, 0, 2) > 0) scopes.push_back({t - 1, t});
    if (t > 1 && (!gaps || draw(random, 0, 2) > 0)) scopes.push_back({t - 2, t - 1, t});
  }
  std::shuffle(scopes.begin(), scopes.end(), random);
  std::array<std::int64_t, 4> tables = {-1, -1, -1, -1};  // [size of the scope]
  for (const std::vector<std::int32_t>& scope : scopes) {
    std::int64_t& table = tables[scope.size()];
    if (!shared || table < 0) {
      std::int64_t cells = 1;
      for (const std::int32_t v : scope) cells *= states[static_cast<std::size_t>(v)];
      table = result.builder.add_table(cells);
    }
    result.builder.add_factor(scope, table);
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
    std::vector<std::int32_t> scope = shuffled_order(random, variables);
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

RandomGraph random_forest(Random& random, std::int32_t variables) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  std::vector<std::int32_t> states;
  for (std::int32_t v = 0; v < variables; ++v) {
    states.push_back(draw(random, 1, 4));
    result.builder.add_variable(states.back());
  }
  std::vector<std::int32_t> order = shuffled_order(random, variables);
  const auto cells = [&states](std::int32_t v) { return states[static_cast<std::size_t>(v)]; };
  for (std::int32_t place = 1; place < variables; ++place) {
    const std::int32_t v = order[static_cast<std::size_t>(place)];
    const std::int32_t other = order[static_cast<std::size_t>(draw(random, 0, place - 1))];
    if (draw(random, 0, 9) == 0) result.builder.add_factor({v}, result.builder.add_table(cells(v)));
    if (draw(random, 0, 9) == 0) result.builder.add_factor({}, result.builder.add_table(1));
    if (draw(random, 0, 5) == 0) continue;  // v begins a new tree
    const std::int64_t table = result.builder.add_table(std::int64_t{cells(v)} * cells(other));
    if (draw(random, 0, 1) == 0) {
      result.builder.add_factor({v, other}, table);
    } else {
      result.builder.add_factor({other, v}, table);
    }
  }
  return result;
}

RandomGraph random_full_graph(Random& random, std::int32_t variables, std::int32_t larger) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_BINARY | (larger == 0 ? SCULPT_GRAPH_PAIRWISE : 0);
  for (std::int32_t v = 0; v < variables; ++v) result.builder.add_variable(2);
  for (std::int32_t a = 0; a < variables; ++a) {
    for (std::int32_t b = 0; b < a; ++b) {
      const std::int64_t table = result.builder.add_table(4);
      if (draw(random, 0, 1) == 0) {
        result.builder.add_factor({a, b}, table);
      } else {
        result.builder.add_factor({b, a}, table);
      }
    }
  }
  for (std::int32_t f = 0; f < larger; ++f) {
    std::vector<std::int32_t> scope = shuffled_order(random, variables);
    scope.resize(static_cast<std::size_t>(std::min(variables, draw(random, 3, 4))));
    result.builder.add_factor(scope, result.builder.add_table(std::int64_t{1} << scope.size()));
  }
  return result;
}

void add_square(sculpt::FactorGraphBuilder& builder, std::int32_t side, std::int32_t states) {
  for (std::int32_t v = 0; v < side * side; ++v) builder.add_variable(states);
  for (std::int32_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) builder.add_factor({v, v + 1}, builder.add_table(states * states));
    if (v + side < side * side) {
      builder.add_factor({v, v + side}, builder.add_table(states * states));
    }
  }
}

std::size_t cells(const sculpt_factor_graph& graph) {
  return static_cast<std::size_t>(graph.theta_size);
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

// Calls visit(y) for all assignments of the variables v - 1, ..., 0.
void assign_rest(const sculpt_factor_graph& graph, std::size_t v, std::vector<std::int32_t>& y,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit) {
  if (v == 0) return visit(y);
  for (y[v - 1] = 0; y[v - 1] < graph.states[v - 1]; ++y[v - 1]) {
    assign_rest(graph, v - 1, y, visit);
  }
}

void update_best(NaiveBest& best, double score, const std::vector<std::int32_t>& y) {
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
    update_best(best, naive_score(graph, theta, y), y);
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
    update_best(frontier[naive_counts(graph, tables, limits, y)], naive_score(graph, theta, y), y);
  });
  return frontier;
}

}  // namespace plugin_test
