#include "problem/components/factor_graphs.hpp"

#include <string>

#include "problem/components/factor_graph_check.hpp"

namespace sculpt::core {

const sculpt_factor_graph& FactorGraphs::of(int worker, void* session, std::int64_t example) {
  const sculpt_factor_graph* graph = nullptr;
  features_.call("factor-graph.graph", example, [&](sculpt_error* error) {
    return table_->graph(session, example, &graph, error);
  });
  if (graph == nullptr) features_.refuse(Exit::plugin, example, "gives no factor graph");
  auto& valid = valid_topologies_[static_cast<std::size_t>(worker)];
  if (graph->topology != 0 && valid.count(graph->topology) > 0) return *graph;
  const std::string fault = factor_graph_fault(*graph);
  if (!fault.empty()) features_.refuse(Exit::plugin, example, fault);
  if (graph->topology != 0) valid.insert(graph->topology);
  return *graph;
}

}  // namespace sculpt::core
