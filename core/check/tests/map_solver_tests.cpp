// Tests of a map_solver on random factor graphs of the classes that it demands, against all
// assignments.

#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Returns what is wrong with an answer, as lines, or none.
using Fault = std::function<std::vector<std::string>(const SmallGraph&, const OwnedAnswer&)>;

void each_answer(TestFixture& fixture, TestContext& context, const char* test, const Fault& fault) {
  MapSolverCaller solver(map_solver_of(fixture, context));
  each_graph(fixture, context, test, solver, false,
             [&](const SmallGraph& graph) { return fault(graph, solver.solve(graph)); });
}

void map_solver_value_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  each_answer(
      fixture, context, "map_solver.value", [&](const SmallGraph& graph, const OwnedAnswer& reply) {
        if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
          return std::vector<std::string>{name + " says NO_OUTPUT, but every variable has a state"};
        }
        const double score = graph.score(reply.labels);
        if (std::abs(score - reply.value) <= graph.terms(reply.labels).rounding()) {
          return std::vector<std::string>();
        }
        return std::vector<std::string>{
            name + " says the value of its answer is " + exact_number_text(reply.value),
            assignment_text(graph, "answer", reply.labels)};
      });
}

void map_solver_exact_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  std::int64_t claimed = 0;
  std::int64_t best_found = 0;
  each_answer(
      fixture, context, "map_solver.exact", [&](const SmallGraph& graph, const OwnedAnswer& reply) {
        const std::optional<BestAssignment> best = best_assignment(graph);
        if (!best || reply.has(SCULPT_ANSWER_NO_OUTPUT)) return std::vector<std::string>();
        const double mine = graph.score(reply.labels);
        const double allowed = 2 * excess_allowed(reply, graph.largest_terms());
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
            assignment_text(graph, "answer", reply.labels),
            assignment_text(graph, "better", best->y)};
      });
  if (claimed > 0) return;
  context.skip(name + " says neither EXACT nor BOUND; it found the best assignment of " +
               std::to_string(best_found) + " of " + std::to_string(context.cases()) + " graphs");
}

}  // namespace

std::span<const ExperimentTest> map_solver_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"map_solver.value", map_solver_value_test}, {"map_solver.exact", map_solver_exact_test}}};
  return tests;
}

}  // namespace sculpt::core
