// A map_solver on random factor graphs of the classes it takes, against all assignments.

#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "check/judgement.hpp"
#include "check/map_solver_use.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

const Component& map_solver_of(Bench& bench, Findings& findings) {
  const Component& oracle = bench.oracle();
  if (oracle.description().kind != SCULPT_KIND_MAP_SOLVER) {
    findings.skip(oracle.name() + " is an oracle of its own, not a map_solver");
  }
  return oracle;
}

int graph_count(Bench& bench) {
  return bench.level().of(60, 400, 2500);
}

std::int64_t most_variables(Bench& bench) {
  return bench.level().of<std::int64_t>(4, 5, 6);
}

std::string assignment_text(const SmallGraph& graph, const std::string& role,
                            const std::vector<std::int32_t>& y) {
  return "  " + padded(role, 8) + labels_text(y) + ": score " + exact_number_text(graph.score(y));
}

// What is wrong with an answer, as lines, or none.
using Fault = std::function<std::vector<std::string>(const SmallGraph&, const Reply&)>;

// Asks about random graphs; the first fault, made small, ends the test.
void each_graph(Bench& bench, Findings& findings, const char* test, const Fault& fault) {
  MapSolverUse solver(map_solver_of(bench, findings));
  const GraphDemands demands = solver_demands(solver.component());
  Random random = bench.random(test);
  Pace pace(bench.clock(), findings, graph_count(bench), "graphs");
  for (int number = 0; number < graph_count(bench) && pace.next(); ++number) {
    SmallGraph graph = random_small_graph(random, demands, number, most_variables(bench));
    draw_scores(random, graph, number);
    findings.now("a graph of " + joined(graph.lines(), "; "));
    findings.count(Findings::Compared::everything);
    if (fault(graph, solver.solve(graph)).empty()) continue;
    findings.now("making the counter-example small");
    const auto lines = [&](const SmallGraph& one) { return fault(one, solver.solve(one)); };
    const auto fails = [&](const SmallGraph& one) {
      return !bench.clock().past(shrinking_ends) && !lines(one).empty();
    };
    if (fails(graph)) shrink_graph(graph, fails);
    std::vector<std::string> said = lines(graph);
    if (said.empty())
      said = {solver.component().name() + " fails now and then: the same graph " +
              "does not give the same answer"};
    for (std::string& line : graph.lines()) said.push_back(std::move(line));
    findings.fail(said);
  }
}

void value_test(Bench& bench, Findings& findings) {
  const std::string name = bench.oracle_name();
  each_graph(bench, findings, "map_solver.value", [&](const SmallGraph& graph, const Reply& reply) {
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
      return std::vector<std::string>{name + " says NO_OUTPUT, but every variable has a state"};
    }
    const double score = graph.score(reply.labels);
    if (std::abs(score - reply.value) <= rounding(graph.size(reply.labels))) {
      return std::vector<std::string>();
    }
    return std::vector<std::string>{
        name + " says the value of its answer is " + exact_number_text(reply.value),
        assignment_text(graph, "answer", reply.labels)};
  });
}

void exact_test(Bench& bench, Findings& findings) {
  const std::string name = bench.oracle_name();
  std::int64_t claimed = 0;
  std::int64_t best_found = 0;
  each_graph(bench, findings, "map_solver.exact", [&](const SmallGraph& graph, const Reply& reply) {
    const std::optional<BestAssignment> best = best_assignment(graph);
    if (!best || reply.has(SCULPT_ANSWER_NO_OUTPUT)) return std::vector<std::string>();
    const double mine = graph.score(reply.labels);
    const double allowed = rounding(graph.size(best->y) + graph.size(reply.labels));
    const bool beaten = best->value - mine > allowed;
    best_found += beaten ? 0 : 1;
    const bool exact = reply.has(SCULPT_ANSWER_EXACT);
    const bool low = reply.has(SCULPT_ANSWER_BOUND) && reply.bound < best->value - allowed;
    claimed += exact || reply.has(SCULPT_ANSWER_BOUND) ? 1 : 0;
    if (!(exact && beaten) && !low) return std::vector<std::string>();
    return std::vector<std::string>{
        name + (exact ? " calls its answer EXACT, but another assignment is better by " +
                            exact_number_text(best->value - mine)
                      : " says that nothing is above " + exact_number_text(reply.bound) +
                            ", but the best assignment is"),
        assignment_text(graph, "answer", reply.labels), assignment_text(graph, "better", best->y)};
  });
  if (claimed > 0) return;
  findings.skip(name + " says neither EXACT nor BOUND; it found the best assignment of " +
                std::to_string(best_found) + " of " + std::to_string(findings.cases()) + " graphs");
}

// Plans kept by topology, and scratch of larger graphs, must not show.
void order_test(Bench& bench, Findings& findings) {
  MapSolverUse solver(map_solver_of(bench, findings));
  const GraphDemands demands = solver_demands(solver.component());
  Random random = bench.random("map_solver.order");
  std::vector<SmallGraph> graphs;
  std::vector<std::unique_ptr<LentGraph>> lent;
  std::vector<Reply> replies;
  const int pairs = bench.level().of(20, 60, 300);
  Pace first(bench.clock(), findings, pairs, "pairs of graphs", asking_ends / 5);
  for (int number = 0; number < pairs && first.next(); ++number) {
    SmallGraph graph = random_small_graph(random, demands, 40 - number % 40, most_variables(bench));
    draw_scores(random, graph, number);
    SmallGraph other = graph;  // of the same topology
    draw_scores(random, other, number + 1);
    const std::uint64_t topology = number % 3 == 0 ? 0 : static_cast<std::uint64_t>(number) + 1;
    for (SmallGraph* one : {&graph, &other}) {
      lent.push_back(std::make_unique<LentGraph>(*one, topology));
      findings.now("a graph of " + joined(one->lines(), "; "));
      replies.push_back(solver.solve(*one, *lent.back()));
      graphs.push_back(std::move(*one));
    }
  }
  Pace pace(bench.clock(), findings, 2 * static_cast<std::int64_t>(graphs.size()),
            "graphs asked again");
  // New sessions live on for a while: memory given back would be given to the next one, and an
  // answer that depends on addresses would always see the same.
  std::array<std::unique_ptr<MapSolverUse>, 32> sessions;
  for (std::size_t round = 0; round < 2 * graphs.size() && pace.next(); ++round) {
    const std::size_t k =
        round < graphs.size() ? graphs.size() - 1 - round : random.below(graphs.size());
    findings.now("the same graph again, after others: " + joined(graphs[k].lines(), "; "));
    findings.count();
    const Reply again = solver.solve(graphs[k], *lent[k]);
    std::unique_ptr<MapSolverUse>& session = sessions[round % sessions.size()];
    session = std::make_unique<MapSolverUse>(solver.component());
    const Reply fresh = session->solve(graphs[k], *lent[k]);
    for (const Reply* one : {&again, &fresh}) {
      if (*one == replies[k]) continue;
      std::vector<std::string> lines = {
          solver.component().name() + " answers the same question in two ways, " +
              (one == &again ? "after others" : "in a new session"),
          "  first   " + replies[k].text(), "  then    " + one->text()};
      for (std::string& line : graphs[k].lines()) lines.push_back(std::move(line));
      findings.fail(lines);
    }
  }
}

// No variables: the empty output. A variable without states: no output.
void empty_graphs(MapSolverUse& solver, std::uint32_t classes, Findings& findings) {
  const std::string name = solver.component().name();
  SmallGraph graph;
  graph.classes = classes;
  if ((graph.classes & SCULPT_GRAPH_SINGLE) == 0) {
    findings.now("a graph without variables");
    findings.count(Findings::Compared::everything);
    const Reply empty = solver.solve(graph);
    if (empty.has(SCULPT_ANSWER_NO_OUTPUT) || !empty.labels.empty() || empty.value != 0) {
      findings.fail(name + " answers " + empty.text() +
                    " to a graph without variables; its one output is the empty one, with value 0");
    }
  }
  if ((graph.classes & SCULPT_GRAPH_BINARY) != 0) return;
  findings.now("a graph with a variable that has no state");
  graph.states = {0};
  graph.tables = {{}};
  findings.count(Findings::Compared::everything);
  const Reply none = solver.solve(graph);
  if (none.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  findings.fail(name + " answers " + none.text() +
                " to a graph with a variable that has no state; it has to say NO_OUTPUT");
}

void empty_test(Bench& bench, Findings& findings) {
  MapSolverUse solver(map_solver_of(bench, findings));
  for (const std::uint32_t classes : solver_demands(solver.component()).alternatives) {
    empty_graphs(solver, classes, findings);
  }
}

constexpr std::array<ExperimentTest, 4> tests{{{"map_solver.value", value_test},
                                               {"map_solver.exact", exact_test},
                                               {"map_solver.order", order_test},
                                               {"map_solver.empty", empty_test}}};

}  // namespace

std::span<const ExperimentTest> map_solver_tests() {
  return tests;
}

}  // namespace sculpt::core
