#include "check/small_graphs/random_graph_test.hpp"

#include <sculpt/ext/cut.h>

#include <algorithm>

#include "base/text/message_text.hpp"
#include "check/small_graphs/narrow_graphs.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_tried_assignments = 8192;
constexpr std::int64_t max_stored_assignments = 720;

// Returns the graphs of the examples that have at most `max_assignments`, with random scores.
std::vector<SmallGraph> graphs_of_examples(TestFixture& fixture, Random& random,
                                           std::int64_t max_assignments) {
  std::vector<SmallGraph> graphs;
  FactorGraphReader reader(fixture.problem().features());
  if (!reader.is_offered()) return graphs;
  for (const std::int64_t example : fixture.examples()) {
    const sculpt_factor_graph& raw = reader.graph(example);
    const std::int64_t assignments = assignment_count(raw, max_assignments);
    if (assignments == 0 || assignments > max_assignments) continue;
    std::optional<SmallGraph> graph = small_graph_of(raw);
    if (!graph) continue;
    for (int round = 0; round < fixture.level().choose(1, 2, 6); ++round) {
      draw_scores(random, *graph, static_cast<int>(graphs.size()));
      graphs.push_back(*graph);
    }
  }
  return graphs;
}

// Returns all graphs of a test after the random small ones.
std::vector<SmallGraph> larger_graphs(TestFixture& fixture, Random& random,
                                      const GraphDemands& demands, const GraphSeries& series) {
  const CheckLevel level = fixture.level();
  const NarrowGraphs narrow = series.stores_assignments
                                  ? NarrowGraphs{max_stored_assignments, level.choose(1, 1, 4)}
                                  : NarrowGraphs{max_tried_assignments, level.choose(4, 12, 30)};
  std::vector<SmallGraph> graphs = narrow_graphs(random, demands, narrow);
  for (SmallGraph& graph : graphs_of_examples(fixture, random, narrow.max_assignments)) {
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

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

void each_graph(TestFixture& fixture, TestContext& context, const GraphSeries& series,
                const MapSolverCaller& solver, const GraphFault& fault) {
  const GraphDemands demands = solver_demands(solver.component());
  const auto cyclic =
      std::find_if(demands.alternatives.begin(), demands.alternatives.end(), may_have_cycles);
  Random random = fixture.random(series.test);
  Random larger_random = fixture.random(std::string(series.test) + ", larger graphs");
  std::vector<SmallGraph> larger = larger_graphs(fixture, larger_random, demands, series);
  const int small_count = graph_count(fixture);
  const int total = small_count + static_cast<int>(larger.size());
  TimeBudget budget(fixture.timer(), context, total, "graphs");
  for (int number = 0; number < total && budget.next(); ++number) {
    SmallGraph graph;
    if (number >= small_count) {
      graph = std::move(larger[static_cast<std::size_t>(number - small_count)]);
    } else if (series.has_conflicts && cyclic != demands.alternatives.end() && number % 2 == 1) {
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
