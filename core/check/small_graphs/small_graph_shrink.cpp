// Makes a small graph smaller.

#include <algorithm>

#include "check/answers/shrink.hpp"
#include "check/small_graphs/small_graph.hpp"

namespace sculpt::core {
namespace {

constexpr int max_score_calls = 2000;

using Fails = std::function<bool(const SmallGraph&)>;

// Returns the graph with one table per factor, without unused tables.
SmallGraph unshared(const SmallGraph& graph) {
  SmallGraph result = graph;
  result.tables.resize(graph.states.size());
  for (SmallGraph::Factor& factor : result.factors) {
    result.tables.push_back(graph.tables[factor.table]);
    factor.table = result.tables.size() - 1;
  }
  return result;
}

SmallGraph without_factor(const SmallGraph& graph, std::size_t factor) {
  SmallGraph result = graph;
  result.factors.erase(result.factors.begin() + static_cast<std::ptrdiff_t>(factor));
  return unshared(result);
}

// Also removes the factors of the variable.
SmallGraph without_variable(const SmallGraph& graph, std::size_t variable) {
  SmallGraph result = graph;
  const auto v = static_cast<std::int32_t>(variable);
  result.states.erase(result.states.begin() + v);
  result.factors.clear();
  result.tables.erase(result.tables.begin() + v);
  for (SmallGraph::Factor factor : graph.factors) {
    if (std::find(factor.scope.begin(), factor.scope.end(), v) != factor.scope.end()) continue;
    for (std::int32_t& other : factor.scope) other -= other > v ? 1 : 0;
    --factor.table;  // unary tables come first, and one of them is removed
    result.factors.push_back(std::move(factor));
  }
  return unshared(result);
}

// Removes a state of a variable and its cells. Requires one table per factor.
SmallGraph without_state(const SmallGraph& graph, std::size_t variable, std::int32_t state) {
  SmallGraph result = graph;
  const auto states = static_cast<std::size_t>(result.states[variable]--);
  result.tables[variable].erase(result.tables[variable].begin() + state);
  for (const SmallGraph::Factor& factor : graph.factors) {
    const auto position =
        std::find(factor.scope.begin(), factor.scope.end(), static_cast<std::int32_t>(variable));
    if (position == factor.scope.end()) continue;
    std::size_t stride = 1;
    for (auto next = position + 1; next != factor.scope.end(); ++next) {
      stride *= static_cast<std::size_t>(graph.states[static_cast<std::size_t>(*next)]);
    }
    const std::vector<double>& cells = graph.tables[factor.table];
    std::vector<double> remaining;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (cell / stride % states != static_cast<std::size_t>(state))
        remaining.push_back(cells[cell]);
    }
    result.tables[factor.table] = std::move(remaining);
  }
  return result;
}

bool try_smaller(SmallGraph& graph, SmallGraph smaller, const Fails& fails) {
  if (!fails(smaller)) return false;
  graph = std::move(smaller);
  return true;
}

// Makes one step that still fails. Returns false if there is none.
bool shrink_step(SmallGraph& graph, const Fails& fails) {
  for (std::size_t v = 0; v < graph.states.size() && graph.states.size() > 1; ++v) {
    if (try_smaller(graph, without_variable(graph, v), fails)) return true;
  }
  for (std::size_t f = 0; f < graph.factors.size(); ++f) {
    if (try_smaller(graph, without_factor(graph, f), fails)) return true;
  }
  const bool binary = (graph.classes & SCULPT_GRAPH_BINARY) != 0;
  for (std::size_t v = 0; v < graph.states.size() && !binary; ++v) {
    for (std::int32_t state = graph.states[v]; graph.states[v] > 1 && state-- > 0;) {
      if (try_smaller(graph, without_state(graph, v, state), fails)) return true;
    }
  }
  return false;
}

}  // namespace

void shrink_graph(SmallGraph& graph, const Fails& fails) {
  for (int round = 0; round < 2; ++round) {  // simple scores may need fewer variables
    if (try_smaller(graph, unshared(graph), fails)) {
      while (shrink_step(graph, fails)) {
      }
    }
    shrink_scores(graph, fails);
  }
}

void shrink_scores(SmallGraph& graph, const Fails& fails) {
  if ((graph.classes & SCULPT_GRAPH_ATTRACTIVE) != 0) return;  // new scores may not be attractive
  std::vector<double> theta = graph.theta();
  shrink_values(
      theta,
      [&](const std::vector<double>& values) {
        SmallGraph simple = graph;
        simple.set_theta(values);
        return fails(simple);
      },
      max_score_calls);
  graph.set_theta(theta);
}

}  // namespace sculpt::core
