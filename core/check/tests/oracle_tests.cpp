// Tests of each answer: the value is that of its output, the output is the best, the bound is
// valid.

#include <algorithm>
#include <array>

#include "check/answers/claim_test.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

void oracle_value_test(TestFixture& fixture, TestContext& context) {
  test_claim(fixture, context, "oracle.value", value_violation);
}

// Tests answers that claim EXACT. If no claim could be compared with all outputs, the report says
// so.
void oracle_exact_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts tally = test_claim(fixture, context, "oracle.exact", exact_violation);
  const std::string name = fixture.oracle_name();
  if (tally.exact == 0) {
    context.skip(name + " never says EXACT" +
                 (tally.forced == 0
                      ? ""
                      : "; its answer was the best in " + std::to_string(tally.best) + " of " +
                            std::to_string(tally.forced) + " questions that were brute-forced"));
  }
  const std::int64_t unproven = context.cases() - context.brute_forced();
  const bool map_solver = fixture.oracle().description().kind == SCULPT_KIND_MAP_SOLVER;
  if (context.brute_forced() == 0 && map_solver) {
    context.remark(
        "these examples have too many outputs to list; map_solver.exact has small graphs");
  } else if (context.brute_forced() == 0) {
    context.warn(name +
                 " says EXACT, and no question could be brute-forced: the examples have too many "
                 "outputs, or nobody offers to list them (ext/enumerate.h); give smaller ones");
  } else if (unproven > 0) {
    context.remark(std::to_string(unproven) + " of " + std::to_string(context.cases()) +
                   " answers were compared with a pool of outputs only: there are too many");
  }
}

void oracle_truth_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts tally = test_claim(fixture, context, "oracle.truth", truth_violation);
  if (tally.exact + tally.bounded == 0) {
    context.skip(fixture.oracle_name() + " says neither EXACT nor BOUND");
  }
}

void oracle_outside_test(TestFixture& fixture, TestContext& context) {
  test_claim(fixture, context, "oracle.outside", truth_outside_violation);
  if (context.brute_forced() > 0) return;
  context.skip("no example has few enough outputs to list; give a smaller one");
}

void oracle_bound_test(TestFixture& fixture, TestContext& context) {
  const AnswerClaimCounts tally = test_claim(fixture, context, "oracle.bound", bound_violation);
  if (tally.bounded == 0) context.skip(fixture.oracle_name() + " never says BOUND");
}

// NO_OUTPUT is wrong if there are outputs. An answer that is not one of the outputs is wrong, too.
void oracle_output_test(TestFixture& fixture, TestContext& context) {
  fixture.each_question(context, "oracle.output", [&](const OracleQuery& question) {
    context.now(question.text());
    const OwnedAnswer reply = ask(fixture.problem(), question);
    const OutputSet& set = fixture.outputs(question.example);
    context.count(set.complete ? TestContext::Compared::everything
                               : TestContext::Compared::something);
    const auto refuse = [&](const std::string& what) {
      context.fail({fixture.oracle_name() + " " + what, example_text(fixture, question.example),
                    "  looked at: " + set.origin});
    };
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
      if (!set.outputs.empty() && set.complete) refuse("says NO_OUTPUT, but there are outputs");
      return;
    }
    if (!set.complete) return;
    const bool known = std::any_of(set.outputs.begin(), set.outputs.end(),
                                   [&](const Output& one) { return one.labels == reply.labels; });
    if (!known) refuse("answers " + labels_text(reply.labels) + ", which is no output");
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
