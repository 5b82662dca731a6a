// Tests of relaxed answers for the examples of an experiment (sculpt/ext/cut.h), of a map_solver or
// of another oracle. Such an answer has psi and Delta in place of an output.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/claim_test.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/cut_struct.hpp"

namespace sculpt::core {
namespace {

void cut_value_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  test_claim(fixture, context, "cut.value", value_violation, true);
}

void cut_bound_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  const AnswerClaimCounts tally =
      test_claim(fixture, context, "cut.bound", broken_relaxed_bound, true);
  const std::string share = std::to_string(tally.fractional) + " of " +
                            std::to_string(context.cases()) + " relaxed answers were fractional";
  if (tally.exact + tally.bounded == 0) {
    context.skip(fixture.oracle_name() + " says neither EXACT nor BOUND; " + share);
  }
  context.remark(share);
}

// A relaxed answer that claims to be an output is one. It is NO_OUTPUT if and only if argmax gives
// NO_OUTPUT.
void cut_output_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  fixture.each_question(context, "cut.output", [&](const OracleQuery& question) {
    context.now(question.text() + ", relaxed");
    OracleQuery relaxed = question;
    relaxed.relaxed = true;
    const OwnedAnswer reply = ask(fixture.problem(), relaxed);
    const bool none = ask(fixture.problem(), question).has(SCULPT_ANSWER_NO_OUTPUT);
    const OutputSet& set = fixture.outputs(question.example);
    context.count(set.complete ? TestContext::Compared::everything
                               : TestContext::Compared::something);
    const auto refuse = [&](const std::string& what) {
      context.fail({fixture.oracle_name() + " " + what, example_text(fixture, question.example),
                    relaxed.text(), "  relaxed " + reply.text()});
    };
    if (none != reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
      refuse(none ? "says NO_OUTPUT, but has a relaxed answer"
                  : "says NO_OUTPUT of its relaxed answer, but has an output");
    }
    if (none || reply.fractional() || !set.complete) return;
    const bool known = std::any_of(set.outputs.begin(), set.outputs.end(),
                                   [&](const Output& one) { return one.labels == reply.labels; });
    if (!known) refuse("calls its relaxed answer an output that there is not");
  });
}

// Reads psi and Delta as an oracle writes them for a relaxed answer. If the answer is an output,
// the host takes them from features and loss.
class WrittenCut {
 public:
  explicit WrittenCut(TestFixture& fixture)
      : problem_(fixture.problem()),
        oracle_(fixture.oracle()),
        sessions_(oracle_, 1),
        sum_(problem_.dimension()) {}

  // Returns labels, psi and loss. fractional() is what the oracle reports.
  OwnedAnswer ask(const OracleQuery& question) {
    const sculpt_query query = query_of(problem_, question);
    sum_.clear();
    Answer answer;
    {
      CutStruct cut(answer);
      oracle_.call("cut", question.example, [&](sculpt_error* error) {
        return oracle_.extension<sculpt_ext_cut>()->cut(sessions_.of(0), &query, sum_.raw(),
                                                        cut.raw(), error);
      });
      cut.take();
    }
    const std::string fault = sum_.fault();
    if (!fault.empty()) oracle_.refuse(Exit::plugin, question.example, fault);
    OwnedAnswer reply(answer);
    reply.loss = answer.origin.loss;
    sum_.merge(reply.psi);
    return reply;
  }

 private:
  Problem& problem_;
  const Component& oracle_;
  Sessions sessions_;
  SparseAccumulator sum_;
};

// Returns the largest difference of two feature vectors, and the terms of all entries.
AugmentedScore distance(const SparseVector& a, const SparseVector& b, std::int64_t dimension) {
  std::vector<double> difference(static_cast<std::size_t>(dimension), 0.0);
  AugmentedScore value;
  for (const auto& [vector, sign] : {std::pair{&a, 1.0}, std::pair{&b, -1.0}}) {
    for (std::size_t k = 0; k < vector->index.size(); ++k) {
      difference[static_cast<std::size_t>(vector->index[k])] += sign * vector->value[k];
      value.terms += {std::abs(vector->value[k]), 1};
    }
  }
  for (const double one : difference) value.value = std::max(value.value, std::abs(one));
  return value;
}

void cut_features_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  const std::string name = fixture.oracle_name();
  if (fixture.oracle().extension<sculpt_ext_cut>() == nullptr) {
    context.skip(name + " is a map_solver: the host makes psi and loss of its beliefs");
  }
  WrittenCut cut(fixture);
  fixture.each_question(context, "cut.features", [&](const OracleQuery& question) {
    context.now(question.text() + ", relaxed");
    const OwnedAnswer reply = cut.ask(question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT) || reply.fractional()) return;
    context.count();
    const Output output = fixture.with_psi_and_loss(question.example, reply.labels);
    const AugmentedScore apart = distance(reply.psi, output.psi, fixture.problem().dimension());
    const bool loss_counts = question.with_truth && fixture.takes_loss();
    const double loss = loss_counts ? output.loss : reply.loss;
    const bool same = std::abs(reply.loss - loss) <= rounding_of_loss(output);
    if (apart.value <= apart.terms.rounding() && same) return;
    context.fail({name + " calls its relaxed answer an output, but " +
                      (same ? "the psi written is not that of the output: a weight is " +
                                  exact_number_text(apart.value) + " off"
                            : "its loss is " + exact_number_text(reply.loss) +
                                  ", that of the output " + exact_number_text(loss)),
                  example_text(fixture, question.example) + "; " + question.text(),
                  output_text(fixture, question, "answer", output)});
  });
  if (context.cases() == 0) context.skip(name + ": none of its relaxed answers was an output");
}

}  // namespace

std::span<const ExperimentTest> cut_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{{{"cut.value", cut_value_test},
                                                        {"cut.output", cut_output_test},
                                                        {"cut.features", cut_features_test},
                                                        {"cut.bound", cut_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
