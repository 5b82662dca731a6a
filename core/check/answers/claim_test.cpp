#include "check/answers/claim_test.hpp"

#include "check/answers/answer_comparison.hpp"
#include "check/answers/shrink.hpp"

namespace sculpt::core {
namespace {

constexpr int shrink_budget_of_questions = 400;  // number of queries

// A query that breaks a claim, with its own w.
struct Case {
  OracleQuery question;
  std::vector<double> values;  // of w, on the support
};

class ClaimTest {
 public:
  ClaimTest(TestFixture& fixture, TestContext& context, ClaimCheck claim)
      : fixture_(fixture), context_(context), claim_(claim) {}

  std::vector<std::string> judge(const OracleQuery& question) {
    const OwnedAnswer reply = ask(fixture_.problem(), question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return {};
    return claim_(fixture_, question, reply);
  }

  // Ends the test with the simplest case found from this one. `said`: the lines about this one.
  [[noreturn]] void refuse(const OracleQuery& question, std::vector<std::string> said) {
    context_.now("making the counter-example small");
    Case worst{question, fixture_.weights().on_support(*question.w)};
    look_for_smaller_example(worst);
    const std::function<bool(const std::vector<double>&)> fails =
        [&](const std::vector<double>& values) {
          return !late() && !lines_of(worst, values).empty();
        };
    if (fails(worst.values)) shrink_values(worst.values, fails, shrink_budget_of_questions);
    const std::vector<std::string> lines = lines_of(worst, worst.values);
    if (!lines.empty()) context_.fail(lines);
    said.push_back("  asked again, the answer is another one: it depends on what was asked before");
    context_.fail(said);
  }

 private:
  bool late() const { return fixture_.clock().past(shrink_time_share); }
  std::vector<std::string> lines_of(const Case& one, const std::vector<double>& values) {
    const Weights w = fixture_.weights().with(values);
    OracleQuery question = one.question;
    question.w = &w;
    return judge(question);
  }
  // Earlier examples have fewer labels. There, another w may break the claim.
  void look_for_smaller_example(Case& worst) {
    Random random = fixture_.random("smaller example");
    for (const std::int64_t example : fixture_.examples()) {
      if (fixture_.truth(example).size >= fixture_.truth(worst.question.example).size) return;
      for (int number = 0; number < 40 && !late(); ++number) {
        const Weights w = fixture_.weights().draw(random, number);
        OracleQuery question = worst.question;
        question.example = example;
        question.w = &w;
        if (judge(question).empty()) continue;
        worst = {question, fixture_.weights().on_support(w)};
        return;
      }
    }
  }

  TestFixture& fixture_;
  TestContext& context_;
  ClaimCheck claim_;
};

}  // namespace

AnswerClaimCounts test_claim(TestFixture& fixture, TestContext& context, const char* test,
                             ClaimCheck claim, bool relaxed) {
  AnswerClaimCounts tally;
  ClaimTest trial(fixture, context, claim);
  const bool forced = claim == exact_violation || claim == bound_violation ||
                      claim == truth_outside_violation ||
                      claim == broken_relaxed_bound;  // the other claims need no list of outputs
  fixture.each_question(context, test, [&](const OracleQuery& asked) {
    OracleQuery question = asked;
    question.relaxed = relaxed;
    context.now(question.text());
    const OwnedAnswer reply = ask(fixture.problem(), question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return;
    tally.exact += reply.has(SCULPT_ANSWER_EXACT);
    tally.bounded += reply.has(SCULPT_ANSWER_BOUND);
    tally.fractional += reply.fractional();
    const bool all = forced && fixture.outputs(question.example).complete;
    context.count(all ? TestContext::Compared::everything : TestContext::Compared::something);
    std::vector<std::string> broken = claim(fixture, question, reply);
    if (!broken.empty()) trial.refuse(question, std::move(broken));
    if (!all) return;
    ++tally.forced;
    if (reply.has(SCULPT_ANSWER_EXACT)) return;  // the claim has tested it
    tally.best += claim == exact_violation && !beaten(fixture, question, reply);
  });
  if (context.cases() == 0) context.skip("no example with an output can be asked about");
  return tally;
}

}  // namespace sculpt::core
