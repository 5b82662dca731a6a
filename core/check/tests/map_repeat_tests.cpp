// Tests that a map_solver gives the same answers for the same small graphs again, as outputs and
// relaxed. Also tests graphs without variables or states.

#include <array>
#include <memory>

#include "base/text/message_text.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// The kind of answer that a map_solver gives: outputs, or relaxed answers.
struct AnswerKind {
  const char* prefix;  // of the test names
  bool is_relaxed;

  OwnedAnswer ask(MapSolverCaller& solver, const SmallGraph& graph,
                  const FactorGraphData& data) const {
    return is_relaxed ? solver.relaxed(graph, data) : solver.solve(graph, data);
  }
  OwnedAnswer ask(MapSolverCaller& solver, const SmallGraph& graph) const {
    return ask(solver, graph, FactorGraphData(graph, 0));
  }
  const Component& map_solver(TestFixture& fixture, TestContext& context) const {
    const Component& solver = map_solver_of(fixture, context);
    if (is_relaxed) require_relaxed(solver, context);
    return solver;
  }
};

constexpr AnswerKind output_answers{"map_solver", false};
constexpr AnswerKind relaxed_answers{"map_cut", true};

// Data cached by topology and memory of larger graphs must not change the answers.
void test_order(TestFixture& fixture, TestContext& context, const AnswerKind& kind) {
  MapSolverCaller solver(kind.map_solver(fixture, context));
  const GraphDemands demands = solver_demands(solver.component());
  Random random = fixture.random(std::string(kind.prefix) + ".order");
  std::vector<SmallGraph> graphs;
  std::vector<std::unique_ptr<FactorGraphData>> graph_data;
  std::vector<OwnedAnswer> answers;
  const int pairs = fixture.level().choose(20, 60, 300);
  TimeBudget first_budget(fixture.timer(), context, pairs, "pairs of graphs",
                          query_time_fraction / 5);
  for (int number = 0; number < pairs && first_budget.next(); ++number) {
    SmallGraph graph =
        random_small_graph(random, demands, 40 - number % 40, max_variables(fixture));
    draw_scores(random, graph, number);
    SmallGraph other = graph;  // with the same topology
    draw_scores(random, other, number + 1);
    const std::uint64_t topology = number % 3 == 0 ? 0 : static_cast<std::uint64_t>(number) + 1;
    for (SmallGraph* drawn : {&graph, &other}) {
      graph_data.push_back(std::make_unique<FactorGraphData>(*drawn, topology));
      context.set_activity("a graph of " + joined(drawn->lines(), "; "));
      answers.push_back(kind.ask(solver, *drawn, *graph_data.back()));
      graphs.push_back(std::move(*drawn));
    }
  }
  TimeBudget budget(fixture.timer(), context, 2 * static_cast<std::int64_t>(graphs.size()),
                    "repeated graphs");
  // New sessions stay open for a while. Otherwise the next session would get the same memory, and
  // an answer that depends on addresses would not change.
  std::array<std::unique_ptr<MapSolverCaller>, 32> sessions;
  for (std::size_t round = 0; round < 2 * graphs.size() && budget.next(); ++round) {
    const std::size_t k =
        round < graphs.size() ? graphs.size() - 1 - round : random.below(graphs.size());
    context.set_activity("the same graph again, after others: " + joined(graphs[k].lines(), "; "));
    context.count();
    const OwnedAnswer again = kind.ask(solver, graphs[k], *graph_data[k]);
    std::unique_ptr<MapSolverCaller>& session = sessions[round % sessions.size()];
    session = std::make_unique<MapSolverCaller>(solver.component());
    const OwnedAnswer fresh = kind.ask(*session, graphs[k], *graph_data[k]);
    for (const OwnedAnswer* second : {&again, &fresh}) {
      if (*second == answers[k]) continue;
      std::vector<std::string> lines = {
          solver.component().name() + " gives two answers to the same query, " +
              (second == &again ? "after others" : "in a new session"),
          "  first   " + answers[k].text(), "  second  " + second->text()};
      if (second->mu != answers[k].mu) lines.push_back("  the beliefs mu differ");
      for (std::string& line : graphs[k].lines()) lines.push_back(std::move(line));
      context.fail(lines);
    }
  }
}

// Without variables the answer is the empty output. If a variable has no states, it is NO_OUTPUT.
void test_empty_graphs(MapSolverCaller& solver, std::uint32_t classes, TestContext& context,
                       const AnswerKind& kind) {
  const std::string name = solver.component().name();
  SmallGraph graph;
  graph.classes = classes;
  if ((graph.classes & SCULPT_GRAPH_SINGLE) == 0) {
    context.set_activity("a graph without variables");
    context.count(TestContext::Compared::all_outputs);
    const OwnedAnswer empty = kind.ask(solver, graph);
    const bool output = !empty.has_flag(SCULPT_ANSWER_NO_OUTPUT) && !empty.fractional();
    if (!output || !empty.labels.empty() || empty.value != 0) {
      context.fail(name + " answers " + empty.text() +
                   " to a graph without variables; its only output is empty and has the value 0");
    }
  }
  if ((graph.classes & SCULPT_GRAPH_BINARY) != 0) return;
  context.set_activity("a graph with a variable that has no state");
  graph.states = {0};
  graph.tables = {{}};
  context.count(TestContext::Compared::all_outputs);
  const OwnedAnswer none = kind.ask(solver, graph);
  if (none.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  context.fail(name + " answers " + none.text() +
               " to a graph with a variable that has no state; it must report NO_OUTPUT");
}

void test_empty_graphs(TestFixture& fixture, TestContext& context, const AnswerKind& kind) {
  MapSolverCaller solver(kind.map_solver(fixture, context));
  for (const std::uint32_t classes : solver_demands(solver.component()).alternatives) {
    test_empty_graphs(solver, classes, context, kind);
  }
}

template <const AnswerKind& kind>
void map_order_test(TestFixture& fixture, TestContext& context) {
  test_order(fixture, context, kind);
}
template <const AnswerKind& kind>
void map_empty_test(TestFixture& fixture, TestContext& context) {
  test_empty_graphs(fixture, context, kind);
}

}  // namespace

std::span<const ExperimentTest> map_repeat_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"map_solver.order", map_order_test<output_answers>},
       {"map_solver.empty", map_empty_test<output_answers>},
       {"map_cut.order", map_order_test<relaxed_answers>},
       {"map_cut.empty", map_empty_test<relaxed_answers>}}};
  return tests;
}

}  // namespace sculpt::core
