// Of each answer: is its value that of its output, is its output the best, is its bound a bound?

#include <algorithm>
#include <array>

#include "check/answers/claim_test.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

void oracle_value_test(Bench& bench, Findings& findings) {
  run_claim(bench, findings, "oracle.value", broken_value);
}

// Only where it is claimed can it be wrong; and a claim that nothing could be held against is said
// to be one.
void oracle_exact_test(Bench& bench, Findings& findings) {
  const Tally tally = run_claim(bench, findings, "oracle.exact", broken_exact);
  const std::string name = bench.oracle_name();
  if (tally.exact == 0) {
    findings.skip(name + " never says EXACT" +
                  (tally.forced == 0
                       ? ""
                       : "; its answer was the best in " + std::to_string(tally.best) + " of " +
                             std::to_string(tally.forced) + " questions that were brute-forced"));
  }
  const std::int64_t unproven = findings.cases() - findings.brute_forced();
  const bool map_solver = bench.oracle().description().kind == SCULPT_KIND_MAP_SOLVER;
  if (findings.brute_forced() == 0 && map_solver) {
    findings.remark(
        "these examples have too many outputs to list; map_solver.exact has small graphs");
  } else if (findings.brute_forced() == 0) {
    findings.warn(name +
                  " says EXACT, and no question could be brute-forced: the examples have too many "
                  "outputs, or nobody offers to list them (ext/enumerate.h); give smaller ones");
  } else if (unproven > 0) {
    findings.remark(std::to_string(unproven) + " of " + std::to_string(findings.cases()) +
                    " answers were compared with a pool of outputs only: there are too many");
  }
}

void oracle_truth_test(Bench& bench, Findings& findings) {
  const Tally tally = run_claim(bench, findings, "oracle.truth", broken_truth);
  if (tally.exact + tally.bounded == 0) {
    findings.skip(bench.oracle_name() + " says neither EXACT nor BOUND");
  }
}

void oracle_outside_test(Bench& bench, Findings& findings) {
  run_claim(bench, findings, "oracle.outside", broken_outside);
  if (findings.brute_forced() > 0) return;
  findings.skip("no example has few enough outputs to list; give a smaller one");
}

void oracle_bound_test(Bench& bench, Findings& findings) {
  const Tally tally = run_claim(bench, findings, "oracle.bound", broken_bound);
  if (tally.bounded == 0) findings.skip(bench.oracle_name() + " never says BOUND");
}

// NO_OUTPUT where there are outputs, and an output that is none.
void oracle_output_test(Bench& bench, Findings& findings) {
  bench.each_question(findings, "oracle.output", [&](const Question& question) {
    findings.now(question.text());
    const Reply reply = ask(bench.problem(), question);
    const OutputSet& set = bench.outputs(question.example);
    findings.count(set.complete ? Findings::Compared::everything : Findings::Compared::something);
    const auto refuse = [&](const std::string& what) {
      findings.fail({bench.oracle_name() + " " + what, example_text(bench, question.example),
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
