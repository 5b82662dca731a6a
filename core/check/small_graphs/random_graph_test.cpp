#include "check/small_graphs/random_graph_test.hpp"

#include <sculpt/ext/cut.h>

#include <algorithm>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::uint32_t acyclic_classes =
    SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_ORDER_TWO;

}  // namespace

const Component& map_solver_of(TestFixture& fixture, TestContext& context) {
  const Component& oracle = fixture.oracle();
  if (oracle.description().kind != SCULPT_KIND_MAP_SOLVER) {
    context.skip_not_offered("a map_solver; " + oracle.name() + " is an oracle");
  }
  if (fixture.is_foreign(oracle)) {
    context.skip(oracle.name() +
                 " belongs to another library; for random graphs, run: sculpt check " +
                 oracle.name());
  }
  return oracle;
}

void require_relaxed(const Component& map_solver, TestContext& context) {
  if (map_solver.extension<sculpt_ext_map_cut>() != nullptr) return;
  context.skip_not_offered("relaxed answers (" SCULPT_EXT_MAP_CUT ") of " + map_solver.name());
}

int graph_count(TestFixture& fixture) {
  return fixture.level().choose(60, 400, 2500);
}

std::int64_t max_variables(TestFixture& fixture) {
  return fixture.level().choose<std::int64_t>(4, 5, 6);
}

void each_graph(TestFixture& fixture, TestContext& context, const char* test,
                const MapSolverCaller& solver, bool conflicts, const GraphFault& fault) {
  const GraphDemands demands = solver_demands(solver.component());
  const auto cyclic =
      std::find_if(demands.alternatives.begin(), demands.alternatives.end(),
                   [](std::uint32_t classes) { return (classes & acyclic_classes) == 0; });
  Random random = fixture.random(test);
  TimeBudget budget(fixture.timer(), context, graph_count(fixture), "graphs");
  for (int number = 0; number < graph_count(fixture) && budget.next(); ++number) {
    SmallGraph graph;
    if (conflicts && cyclic != demands.alternatives.end() && number % 2 == 1) {
      graph = random_frustrated_graph(random, *cyclic, max_variables(fixture));
    } else {
      graph = random_small_graph(random, demands, number, max_variables(fixture));
      draw_scores(random, graph, number);
    }
    context.set_activity("a graph of " + joined(graph.lines(), "; "));
    context.count(TestContext::Compared::all_outputs);
    if (fault(graph).empty()) continue;
    context.set_activity("making the counter-example small");
    const auto fails = [&](const SmallGraph& candidate) {
      return !fixture.timer().is_past(shrink_time_fraction) && !fault(candidate).empty();
    };
    if (fails(graph)) shrink_graph(graph, fails);
    std::vector<std::string> lines = fault(graph);
    if (lines.empty()) {
      lines = {solver.component().name() +
               " is not deterministic: two queries with the same graph have different answers"};
    }
    for (std::string& line : graph.lines()) lines.push_back(std::move(line));
    context.fail(lines);
  }
}

std::string assignment_text(const SmallGraph& graph, const std::string& role,
                            const std::vector<std::int32_t>& y) {
  return "  " + padded(role, 8) + labels_text(y) + ": score " + exact_number_text(graph.score(y));
}

}  // namespace sculpt::core
