// Of each answer: is its value that of its output, is its output the best, is its bound a bound?

#include <algorithm>
#include <array>

#include "check/claims.hpp"
#include "check/counter_example.hpp"
#include "check/judgement.hpp"
#include "check/shrink.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

constexpr int shrink_budget = 400;  // questions

// A question that breaks a claim, with its own w.
struct Case {
  Question question;
  std::vector<double> values;  // of w, on the support
};

class Trial {
 public:
  Trial(Bench& bench, Findings& findings, Claim claim)
      : bench_(bench), findings_(findings), claim_(claim) {}

  std::vector<std::string> judge(const Question& question) {
    const Reply reply = ask(bench_.problem(), question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return {};
    return claim_(bench_, question, reply);
  }

  // Ends the test with the simplest case that can be found from this one; `said` is what broke.
  [[noreturn]] void refuse(const Question& question, std::vector<std::string> said) {
    findings_.now("making the counter-example small");
    Case worst{question, bench_.weights().on_support(*question.w)};
    look_for_smaller_example(worst);
    const std::function<bool(const std::vector<double>&)> fails =
        [&](const std::vector<double>& values) {
          return !late() && !lines_of(worst, values).empty();
        };
    if (fails(worst.values)) shrink_values(worst.values, fails, shrink_budget);
    const std::vector<std::string> lines = lines_of(worst, worst.values);
    if (!lines.empty()) findings_.fail(lines);
    said.push_back("  asked again, the answer is another one: it depends on what was asked before");
    findings_.fail(said);
  }

 private:
  bool late() const { return bench_.clock().past(shrinking_ends); }
  std::vector<std::string> lines_of(const Case& one, const std::vector<double>& values) {
    const Weights w = bench_.weights().with(values);
    Question question = one.question;
    question.w = &w;
    return judge(question);
  }
  // The examples in front have fewer labels: other w may break the claim there.
  void look_for_smaller_example(Case& worst) {
    Random random = bench_.random("smaller example");
    for (const std::int64_t example : bench_.examples()) {
      if (bench_.truth(example).size >= bench_.truth(worst.question.example).size) return;
      for (int number = 0; number < 40 && !late(); ++number) {
        const Weights w = bench_.weights().draw(random, number);
        Question question = worst.question;
        question.example = example;
        question.w = &w;
        if (judge(question).empty()) continue;
        worst = {question, bench_.weights().on_support(w)};
        return;
      }
    }
  }

  Bench& bench_;
  Findings& findings_;
  Claim claim_;
};

// What the questions of a test were about.
struct Tally {
  std::int64_t exact = 0;
  std::int64_t bounded = 0;
  std::int64_t forced = 0;  // compared with all outputs
  std::int64_t best = 0;    // of these, where none was better though EXACT was not said
};

Tally run_claim(Bench& bench, Findings& findings, const char* test, Claim claim) {
  Tally tally;
  Trial trial(bench, findings, claim);
  const bool forced = claim == broken_exact || claim == broken_bound;  // the others need no list
  bench.each_question(findings, test, [&](const Question& question) {
    findings.now(question.text());
    const Reply reply = ask(bench.problem(), question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return;
    tally.exact += reply.has(SCULPT_ANSWER_EXACT);
    tally.bounded += reply.has(SCULPT_ANSWER_BOUND);
    const bool all = forced && bench.outputs(question.example).complete;
    findings.count(all ? Findings::Compared::everything : Findings::Compared::something);
    std::vector<std::string> broken = claim(bench, question, reply);
    if (!broken.empty()) trial.refuse(question, std::move(broken));
    if (!all) return;
    ++tally.forced;
    if (reply.has(SCULPT_ANSWER_EXACT)) return;  // judged by the claim
    tally.best += claim == broken_exact && !beaten(bench, question, reply);
  });
  if (findings.cases() == 0) findings.skip("no example with an output can be asked about");
  return tally;
}

void value_test(Bench& bench, Findings& findings) {
  run_claim(bench, findings, "oracle.value", broken_value);
}

// Only where it is claimed can it be wrong; and a claim that nothing could be held against is said
// to be one.
void exact_test(Bench& bench, Findings& findings) {
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
                  " says EXACT, and no question could be brute-forced: give a smaller "
                  "example, or offer enumerate (ext/enumerate.h)");
  } else if (unproven > 0) {
    findings.remark(std::to_string(unproven) + " of " + std::to_string(findings.cases()) +
                    " answers were compared with a pool of outputs only: there are too many");
  }
}

void truth_test(Bench& bench, Findings& findings) {
  const Tally tally = run_claim(bench, findings, "oracle.truth", broken_truth);
  if (tally.exact + tally.bounded == 0) {
    findings.skip(bench.oracle_name() + " says neither EXACT nor BOUND");
  }
}

void bound_test(Bench& bench, Findings& findings) {
  const Tally tally = run_claim(bench, findings, "oracle.bound", broken_bound);
  if (tally.bounded == 0) findings.skip(bench.oracle_name() + " never says BOUND");
}

// NO_OUTPUT where there are outputs, and an output that is none.
void output_test(Bench& bench, Findings& findings) {
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

constexpr std::array<ExperimentTest, 5> tests{{{"oracle.value", value_test},
                                               {"oracle.output", output_test},
                                               {"oracle.exact", exact_test},
                                               {"oracle.truth", truth_test},
                                               {"oracle.bound", bound_test}}};

}  // namespace

std::span<const ExperimentTest> oracle_tests() {
  return tests;
}

}  // namespace sculpt::core
