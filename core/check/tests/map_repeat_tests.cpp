// Tests that a map_solver gives the same answers for the same small graphs again, as outputs and
// relaxed. Also tests graphs without variables or states.

#include <array>
#include <memory>

#include "base/text/message_text.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// How a map_solver is asked: for outputs, or for relaxed answers.
struct AnswerWay {
  const char* prefix;  // of the test names
  bool relaxed;

  OwnedAnswer ask(MapSolverCaller& solver, const SmallGraph& graph,
                  const FactorGraphData& lent) const {
    return relaxed ? solver.relaxed(graph, lent) : solver.solve(graph, lent);
  }
  OwnedAnswer ask(MapSolverCaller& solver, const SmallGraph& graph) const {
    return ask(solver, graph, FactorGraphData(graph, 0));
  }
  const Component& of(TestFixture& fixture, TestContext& context) const {
    const Component& solver = map_solver_of(fixture, context);
    if (relaxed) require_relaxed(solver, context);
    return solver;
  }
};

constexpr AnswerWay outputs{"map_solver", false};
constexpr AnswerWay relaxed{"map_cut", true};

// Data cached by topology and memory of larger graphs must not change the answers.
void order_graphs(TestFixture& fixture, TestContext& context, const AnswerWay& way) {
  MapSolverCaller solver(way.of(fixture, context));
  const GraphDemands demands = solver_demands(solver.component());
  Random random = fixture.random(std::string(way.prefix) + ".order");
  std::vector<SmallGraph> graphs;
  std::vector<std::unique_ptr<FactorGraphData>> lent;
  std::vector<OwnedAnswer> replies;
  const int pairs = fixture.level().of(20, 60, 300);
  TimeBudget first(fixture.clock(), context, pairs, "pairs of graphs", query_time_share / 5);
  for (int number = 0; number < pairs && first.next(); ++number) {
    SmallGraph graph =
        random_small_graph(random, demands, 40 - number % 40, max_variables(fixture));
    draw_scores(random, graph, number);
    SmallGraph other = graph;  // with the same topology
    draw_scores(random, other, number + 1);
    const std::uint64_t topology = number % 3 == 0 ? 0 : static_cast<std::uint64_t>(number) + 1;
    for (SmallGraph* one : {&graph, &other}) {
      lent.push_back(std::make_unique<FactorGraphData>(*one, topology));
      context.now("a graph of " + joined(one->lines(), "; "));
      replies.push_back(way.ask(solver, *one, *lent.back()));
      graphs.push_back(std::move(*one));
    }
  }
  TimeBudget pace(fixture.clock(), context, 2 * static_cast<std::int64_t>(graphs.size()),
                  "graphs asked again");
  // New sessions stay open for a while. Otherwise the next session would get the same memory, and
  // an answer that depends on addresses would not change.
  std::array<std::unique_ptr<MapSolverCaller>, 32> sessions;
  for (std::size_t round = 0; round < 2 * graphs.size() && pace.next(); ++round) {
    const std::size_t k =
        round < graphs.size() ? graphs.size() - 1 - round : random.below(graphs.size());
    context.now("the same graph again, after others: " + joined(graphs[k].lines(), "; "));
    context.count();
    const OwnedAnswer again = way.ask(solver, graphs[k], *lent[k]);
    std::unique_ptr<MapSolverCaller>& session = sessions[round % sessions.size()];
    session = std::make_unique<MapSolverCaller>(solver.component());
    const OwnedAnswer fresh = way.ask(*session, graphs[k], *lent[k]);
    for (const OwnedAnswer* one : {&again, &fresh}) {
      if (*one == replies[k]) continue;
      std::vector<std::string> lines = {
          solver.component().name() + " answers the same question in two ways, " +
              (one == &again ? "after others" : "in a new session"),
          "  first   " + replies[k].text(), "  then    " + one->text()};
      if (one->mu != replies[k].mu) lines.push_back("  the beliefs mu differ");
      for (std::string& line : graphs[k].lines()) lines.push_back(std::move(line));
      context.fail(lines);
    }
  }
}

// Without variables the answer is the empty output. If a variable has no states, it is NO_OUTPUT.
void empty_graphs(MapSolverCaller& solver, std::uint32_t classes, TestContext& context,
                  const AnswerWay& way) {
  const std::string name = solver.component().name();
  SmallGraph graph;
  graph.classes = classes;
  if ((graph.classes & SCULPT_GRAPH_SINGLE) == 0) {
    context.now("a graph without variables");
    context.count(TestContext::Compared::everything);
    const OwnedAnswer empty = way.ask(solver, graph);
    const bool output = !empty.has(SCULPT_ANSWER_NO_OUTPUT) && !empty.fractional();
    if (!output || !empty.labels.empty() || empty.value != 0) {
      context.fail(name + " answers " + empty.text() +
                   " to a graph without variables; its one output is the empty one, with value 0");
    }
  }
  if ((graph.classes & SCULPT_GRAPH_BINARY) != 0) return;
  context.now("a graph with a variable that has no state");
  graph.states = {0};
  graph.tables = {{}};
  context.count(TestContext::Compared::everything);
  const OwnedAnswer none = way.ask(solver, graph);
  if (none.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  context.fail(name + " answers " + none.text() +
               " to a graph with a variable that has no state; it has to say NO_OUTPUT");
}

void empty_graphs(TestFixture& fixture, TestContext& context, const AnswerWay& way) {
  MapSolverCaller solver(way.of(fixture, context));
  for (const std::uint32_t classes : solver_demands(solver.component()).alternatives) {
    empty_graphs(solver, classes, context, way);
  }
}

template <const AnswerWay& way>
void map_order_test(TestFixture& fixture, TestContext& context) {
  order_graphs(fixture, context, way);
}
template <const AnswerWay& way>
void map_empty_test(TestFixture& fixture, TestContext& context) {
  empty_graphs(fixture, context, way);
}

}  // namespace

std::span<const ExperimentTest> map_repeat_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"map_solver.order", map_order_test<outputs>},
       {"map_solver.empty", map_empty_test<outputs>},
       {"map_cut.order", map_order_test<relaxed>},
       {"map_cut.empty", map_empty_test<relaxed>}}};
  return tests;
}

}  // namespace sculpt::core
