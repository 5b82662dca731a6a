#include "check/answers/claim_checker.hpp"

#include "check/answers/answer_comparison.hpp"
#include "check/answers/shrink.hpp"

namespace sculpt::core {
namespace {

constexpr int max_shrink_queries = 400;

// A query that breaks a claim, with its own w.
struct FailingQuery {
  OracleQuery query;
  std::vector<double> values;  // of w, on the support
};

class ClaimChecker {
 public:
  ClaimChecker(TestFixture& fixture, TestContext& context, ClaimCheck claim)
      : fixture_(fixture), context_(context), claim_(claim) {}

  // Returns the lines about a broken claim, or none.
  std::vector<std::string> violation_at(const OracleQuery& query) {
    const OwnedAnswer answer = ask_oracle(fixture_.problem(), query);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return {};
    return claim_(fixture_, query, answer);
  }

  // Ends the test with the simplest failing query found from this one. `violation`: the lines about
  // this one.
  [[noreturn]] void fail_with_small_case(const OracleQuery& query,
                                         std::vector<std::string> violation) {
    context_.set_activity("making the counter-example small");
    FailingQuery failing{query, fixture_.weights().values_on_support(*query.w)};
    look_for_smaller_example(failing);
    const std::function<bool(const std::vector<double>&)> fails =
        [&](const std::vector<double>& values) {
          return !is_time_over() && !violation_with(failing, values).empty();
        };
    if (fails(failing.values)) shrink_values(failing.values, fails, max_shrink_queries);
    const std::vector<std::string> lines = violation_with(failing, failing.values);
    if (!lines.empty()) context_.fail(lines);
    violation.emplace_back(
        "  the same query now gives another answer: the answers depend on earlier queries; remove "
        "state that is kept between queries");
    context_.fail(violation);
  }

 private:
  bool is_time_over() const { return fixture_.timer().is_past(shrink_time_fraction); }
  // Returns the lines about the query with other values of w.
  std::vector<std::string> violation_with(const FailingQuery& failing,
                                          const std::vector<double>& values) {
    const Weights w = fixture_.weights().with_values(values);
    OracleQuery query = failing.query;
    query.w = &w;
    return violation_at(query);
  }
  // Earlier examples have fewer labels. There, another w may break the claim.
  void look_for_smaller_example(FailingQuery& failing) {
    Random random = fixture_.random("smaller example");
    for (const std::int64_t example : fixture_.examples()) {
      if (fixture_.truth(example).size >= fixture_.truth(failing.query.example).size) return;
      for (int number = 0; number < 40 && !is_time_over(); ++number) {
        const Weights w = fixture_.weights().draw(random, number);
        OracleQuery query = failing.query;
        query.example = example;
        query.w = &w;
        if (violation_at(query).empty()) continue;
        failing = {query, fixture_.weights().values_on_support(w)};
        return;
      }
    }
  }

  TestFixture& fixture_;
  TestContext& context_;
  ClaimCheck claim_;
};

}  // namespace

AnswerClaimCounts test_claim(TestFixture& fixture, TestContext& context, const char* test_name,
                             ClaimCheck claim, bool is_relaxed) {
  AnswerClaimCounts counts;
  ClaimChecker checker(fixture, context, claim);
  const bool uses_all_outputs =
      claim == exact_violation || claim == bound_violation || claim == truth_outside_violation ||
      claim == relaxed_bound_violation;  // the other claims need no list of outputs
  fixture.each_query(context, test_name, [&](const OracleQuery& drawn) {
    OracleQuery query = drawn;
    query.is_relaxed = is_relaxed;
    context.set_activity(query.text());
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
    counts.exact += answer.has_flag(SCULPT_ANSWER_EXACT);
    counts.bounded += answer.has_flag(SCULPT_ANSWER_BOUND);
    counts.fractional += answer.fractional();
    const bool is_brute_forced = uses_all_outputs && fixture.outputs(query.example).complete;
    context.count(is_brute_forced ? TestContext::Compared::all_outputs
                                  : TestContext::Compared::some_outputs);
    std::vector<std::string> violation = claim(fixture, query, answer);
    if (!violation.empty()) checker.fail_with_small_case(query, std::move(violation));
    if (!is_brute_forced) return;
    ++counts.brute_forced;
    if (answer.has_flag(SCULPT_ANSWER_EXACT)) return;  // the claim has tested it
    counts.best += claim == exact_violation && !find_better_output(fixture, query, answer);
  });
  if (context.cases() == 0)
    context.skip("no answer was tested: no example has a complete truth and an output");
  return counts;
}

void test_claim_at(TestFixture& fixture, TestContext& context, ClaimCheck claim,
                   const OracleQuery& query, const OwnedAnswer& answer) {
  std::vector<std::string> violation = claim(fixture, query, answer);
  if (violation.empty()) return;
  ClaimChecker(fixture, context, claim).fail_with_small_case(query, std::move(violation));
}

}  // namespace sculpt::core
