#include "check/small_graphs/map_distribution_test.hpp"

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Returns a graph without variables, which has one assignment, the empty one. Also returns one with
// a variable without states, which has no assignment. Each only if the classes allow it.
std::vector<SmallGraph> empty_graphs(std::uint32_t classes) {
  std::vector<SmallGraph> graphs;
  if ((classes & SCULPT_GRAPH_SINGLE) == 0) graphs.push_back({classes, {}, {}, {}});
  if ((classes & SCULPT_GRAPH_BINARY) == 0) graphs.push_back({classes, {0}, {}, {{}}});
  return graphs;
}

}  // namespace

void test_distributions(TestFixture& fixture, TestContext& context, const char* test,
                        const Component& map_solver, const DistributionFault& fault) {
  MapSolverCaller solver(map_solver);
  MapDistributionCaller caller(map_solver);
  std::int64_t unsupported = 0;
  const auto check_graph = [&](const SmallGraph& graph) {
    std::optional<std::vector<std::string>> lines = fault(graph, caller);
    if (!lines) ++unsupported;
    return lines ? std::move(*lines) : std::vector<std::string>();
  };
  for (const std::uint32_t classes : solver_demands(map_solver).alternatives) {
    for (const SmallGraph& graph : empty_graphs(classes)) {
      context.set_activity("a graph of " + joined(graph.lines(), "; "));
      context.count(TestContext::Compared::all_outputs);
      std::vector<std::string> lines = check_graph(graph);
      if (lines.empty()) continue;
      for (std::string& line : graph.lines()) lines.push_back(std::move(line));
      context.fail(lines);
    }
  }
  each_graph(fixture, context, {test, false, true}, solver, check_graph);
  if (unsupported == 0) return;
  const std::string remark = map_solver.name() + " does not support this for " +
                             std::to_string(unsupported) + " of " +
                             std::to_string(context.cases()) + " graphs";
  if (unsupported == context.cases()) context.skip(remark);
  context.remark(remark);
}

}  // namespace sculpt::core
