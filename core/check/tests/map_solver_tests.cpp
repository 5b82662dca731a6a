// Tests of a map_solver on random factor graphs of the classes that it demands, against all
// assignments.

#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/small_graphs/best_assignment.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Returns what is wrong with an answer, as lines, or none.
using Fault = std::function<std::vector<std::string>(const SmallGraph&, const OwnedAnswer&)>;

void each_answer(TestFixture& fixture, TestContext& context, const char* test, const Fault& fault) {
  MapSolverCaller solver(map_solver_of(fixture, context));
  each_graph(fixture, context, {test}, solver,
             [&](const SmallGraph& graph) { return fault(graph, solver.solve(graph)); });
}

// The value is the score of the assignment.
void map_solver_value_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  each_answer(fixture, context, "map_solver.value",
              [&](const SmallGraph& graph, const OwnedAnswer& answer) {
                if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
                  return std::vector<std::string>{
                      name + " reports NO_OUTPUT, but every variable has a state"};
                }
                const double score = graph.score(answer.labels);
                if (std::abs(score - answer.value) <= graph.terms(answer.labels).rounding()) {
                  return std::vector<std::string>();
                }
                return std::vector<std::string>{name + ": the value of its answer is " +
                                                    exact_number_text(answer.value) +
                                                    ", but its score is another",
                                                assignment_text(graph, "answer", answer.labels)};
              });
}

// EXACT: no assignment is better. BOUND: no assignment has a larger score.
void map_solver_exact_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  std::int64_t claimed = 0;
  std::int64_t best_found = 0;
  each_answer(
      fixture, context, "map_solver.exact",
      [&](const SmallGraph& graph, const OwnedAnswer& answer) {
        const std::optional<BestAssignment> best = best_assignment(graph);
        if (!best || answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return std::vector<std::string>();
        const double score = graph.score(answer.labels);
        const double tolerance = 2 * allowed_excess(answer, graph.largest_terms());
        const bool is_beaten = best->value - score > tolerance;
        best_found += is_beaten ? 0 : 1;
        const bool exact = answer.has_flag(SCULPT_ANSWER_EXACT);
        const bool is_bound_low =
            answer.has_flag(SCULPT_ANSWER_BOUND) && answer.bound < best->value - tolerance;
        claimed += exact || answer.has_flag(SCULPT_ANSWER_BOUND) ? 1 : 0;
        if (!(exact && is_beaten) && !is_bound_low) return std::vector<std::string>();
        return std::vector<std::string>{
            name + (exact ? " reports EXACT, but another assignment is better by " +
                                exact_number_text(best->value - score)
                          : " claims that no value is above " + exact_number_text(answer.bound) +
                                ", but that of the best assignment is"),
            assignment_text(graph, "answer", answer.labels),
            assignment_text(graph, "better", best->y)};
      });
  if (claimed > 0) return;
  context.skip(name + " reports neither EXACT nor BOUND; it found the best assignment of " +
               std::to_string(best_found) + " of " + std::to_string(context.cases()) + " graphs");
}

}  // namespace

std::span<const ExperimentTest> map_solver_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"map_solver.value", map_solver_value_test}, {"map_solver.exact", map_solver_exact_test}}};
  return tests;
}

}  // namespace sculpt::core
