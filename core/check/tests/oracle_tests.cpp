// Tests of each answer: the value is that of its output, the output is the best, the bound is
// valid.

#include <algorithm>
#include <array>

#include "check/answers/claim_checker.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/graph_maximum.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

void oracle_value_test(TestFixture& fixture, TestContext& context) {
  test_claim(fixture, context, "oracle.value", value_violation);
}

// True if the best output of the largest example can be found by its factor graph.
bool has_graph_maximum(TestFixture& fixture) {
  Random random = fixture.random("graph maximum");
  const Weights w = fixture.weights().normal(random);
  const double loss_weight = fixture.supports_loss() ? 1 : 0;
  std::optional<Output> best;
  for (const std::int64_t example : fixture.examples()) {
    if (fixture.outputs(example).complete) continue;
    best = best_output_of_graph(fixture, {example, &w, loss_weight, true, 1});
    if (!best) return false;
  }
  return best.has_value();
}

// Tests answers that claim EXACT. If no claim could be compared with all outputs, the report says
// so.
void oracle_exact_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts counts = test_claim(fixture, context, "oracle.exact", exact_violation);
  const std::string name = fixture.oracle_name();
  if (counts.exact == 0) {
    context.skip(name + " never reports EXACT" +
                 (counts.brute_forced == 0
                      ? ""
                      : "; its answer was the best in " + std::to_string(counts.best) + " of " +
                            std::to_string(counts.brute_forced) +
                            " queries that were brute-forced"));
  }
  const std::int64_t unproven = context.cases() - context.brute_forced();
  const bool map_solver = fixture.oracle().description().kind == SCULPT_KIND_MAP_SOLVER;
  if (unproven > 0 && has_graph_maximum(fixture)) {
    context.remark(std::to_string(unproven) + " of " + std::to_string(context.cases()) +
                   " answers were compared with the maximum of a factor graph, because there are "
                   "too many outputs to list");
  } else if (context.brute_forced() == 0 && map_solver) {
    context.remark(
        "these examples have too many outputs to list; map_solver.exact uses small graphs");
  } else if (context.brute_forced() == 0) {
    context.warn(name +
                 " reports EXACT, but no query could be brute-forced: the examples have too many "
                 "outputs, or no component lists them (ext/enumerate.h); choose smaller examples "
                 "with --example N");
  } else if (unproven > 0) {
    context.remark(
        std::to_string(unproven) + " of " + std::to_string(context.cases()) +
        " answers were compared only with a pool of outputs, because there are too many");
  }
}

void oracle_truth_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts counts = test_claim(fixture, context, "oracle.truth", truth_violation);
  if (counts.exact + counts.bounded == 0) {
    context.skip(fixture.oracle_name() + " reports neither EXACT nor BOUND");
  }
}

void oracle_outside_test(TestFixture& fixture, TestContext& context) {
  test_claim(fixture, context, "oracle.outside", truth_outside_violation);
  if (context.brute_forced() > 0) return;
  context.skip(
      "all examples have too many outputs to list; choose smaller examples with --example N");
}

void oracle_bound_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts counts = test_claim(fixture, context, "oracle.bound", bound_violation);
  if (counts.bounded == 0) context.skip(fixture.oracle_name() + " never reports BOUND");
}

// NO_OUTPUT is wrong if there are outputs. An answer that is not one of the outputs is wrong, too.
void oracle_output_test(TestFixture& fixture, TestContext& context) {
  fixture.each_query(context, "oracle.output", [&](const OracleQuery& query) {
    context.set_activity(query.text());
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    const OutputSet& set = fixture.outputs(query.example);
    context.count(set.complete ? TestContext::Compared::all_outputs
                               : TestContext::Compared::some_outputs);
    const auto refuse = [&](const std::string& what) {
      context.fail({fixture.oracle_name() + " " + what, example_text(fixture, query.example),
                    "  compared with: " + set.description});
    };
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      if (!set.outputs.empty() && set.complete) refuse("reports NO_OUTPUT, but there are outputs");
      return;
    }
    if (!set.complete) return;
    const bool is_output =
        std::any_of(set.outputs.begin(), set.outputs.end(),
                    [&](const Output& output) { return output.labels == answer.labels; });
    if (!is_output) refuse("answers " + labels_text(answer.labels) + ", which is no output");
  });
}

}  // namespace

std::span<const ExperimentTest> oracle_tests() {
  static constexpr std::array<ExperimentTest, 6> tests{{{"oracle.value", oracle_value_test},
                                                        {"oracle.output", oracle_output_test},
                                                        {"oracle.exact", oracle_exact_test},
                                                        {"oracle.truth", oracle_truth_test},
                                                        {"oracle.outside", oracle_outside_test},
                                                        {"oracle.bound", oracle_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
