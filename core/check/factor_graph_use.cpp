#include "check/factor_graph_use.hpp"

#include "problem/graph_check.hpp"

namespace sculpt::core {

std::uint32_t FactorGraphUse::classes() const {
  std::uint32_t classes = 0;
  features_.component().call("factor-graph.classes", -1, [&](sculpt_error* error) {
    return table_->classes(features_.component().self(), &classes, error);
  });
  return classes;
}

const sculpt_factor_graph& FactorGraphUse::graph(std::int64_t example) {
  const sculpt_factor_graph* graph = nullptr;
  const Component& component = features_.component();
  component.call("factor-graph.graph", example, [&](sculpt_error* error) {
    return table_->graph(features_.session(0), example, &graph, error);
  });
  if (graph == nullptr) component.refuse(Exit::plugin, example, "gives no factor graph");
  const std::string fault = factor_graph_fault(*graph);
  if (!fault.empty()) component.refuse(Exit::plugin, example, fault);
  return *graph;
}

std::vector<double> FactorGraphUse::potentials(std::int64_t example,
                                               const sculpt_factor_graph& graph, sculpt_weights w) {
  std::vector<double> theta(static_cast<std::size_t>(graph.theta_size), 0.0);
  features_.component().call("factor-graph.potentials", example, [&](sculpt_error* error) {
    return table_->potentials(features_.session(0), example, w, theta.data(), error);
  });
  return theta;
}

FeatureSum FactorGraphUse::pullback(std::int64_t example, const std::vector<double>& mu,
                                    double scale, std::int64_t dimension) {
  SparseAccumulator sum(dimension);
  const Component& component = features_.component();
  component.call("factor-graph.pullback", example, [&](sculpt_error* error) {
    return table_->pullback(features_.session(0), example, mu.data(), scale, sum.raw(), error);
  });
  const std::string fault = sum.fault();
  if (!fault.empty()) component.refuse(Exit::plugin, example, "pullback: " + fault);
  FeatureSum out;
  sum.merge(out.psi);
  out.cancelled = sum.cancelled(out.psi);
  return out;
}

std::int64_t assignment_count(const sculpt_factor_graph& graph, std::int64_t limit) {
  std::int64_t count = 1;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if (graph.states[v] == 0) return 0;
    count = count > limit / graph.states[v] ? limit + 1 : count * graph.states[v];
  }
  return count > limit ? limit + 1 : count;
}

void each_assignment(std::span<const std::int32_t> states,
                     const std::function<void(const std::vector<std::int32_t>&)>& visit) {
  for (const std::int32_t count : states) {
    if (count == 0) return;
  }
  std::vector<std::int32_t> y(states.size(), 0);
  for (;;) {
    visit(y);
    std::size_t v = y.size();
    while (v > 0 && y[v - 1] + 1 == states[v - 1]) y[--v] = 0;
    if (v == 0) return;
    ++y[v - 1];
  }
}

std::vector<std::size_t> cells_of(const sculpt_factor_graph& graph,
                                  const std::vector<std::int32_t>& y) {
  std::vector<std::size_t> cells;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    std::int64_t offset = 0;
    for (std::int64_t s = graph.scope_from[f]; s < graph.scope_from[f + 1]; ++s) {
      const std::int32_t v = graph.scope[s];
      offset = offset * graph.states[v] + y[static_cast<std::size_t>(v)];
    }
    cells.push_back(static_cast<std::size_t>(graph.table[f] + offset));
  }
  return cells;
}

bool fits(const sculpt_factor_graph& graph, const std::vector<std::int32_t>& y) {
  if (static_cast<std::int64_t>(y.size()) != graph.variable_count) return false;
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (y[v] < 0 || y[v] >= graph.states[v]) return false;
  }
  return true;
}

}  // namespace sculpt::core
