// Tests of relaxed answers for the examples of an experiment (sculpt/ext/cut.h), of a map_solver or
// of another oracle. Such an answer has psi and Delta in place of an output.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/claim_checker.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/relaxed_answer_struct.hpp"

namespace sculpt::core {
namespace {

void cut_value_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  test_claim(fixture, context, "cut.value", value_violation, true);
}

void cut_bound_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  const AnswerClaimCounts counts =
      test_claim(fixture, context, "cut.bound", relaxed_bound_violation, true);
  const std::string remark = std::to_string(counts.fractional) + " of " +
                             std::to_string(context.cases()) + " relaxed answers were fractional";
  if (counts.exact + counts.bounded == 0) {
    context.skip(fixture.oracle_name() + " reports neither EXACT nor BOUND; " + remark);
  }
  context.remark(remark);
}

// A relaxed answer that claims to be an output is one. It is NO_OUTPUT if and only if argmax gives
// NO_OUTPUT.
void cut_output_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  fixture.each_query(context, "cut.output", [&](const OracleQuery& query) {
    context.set_activity(query.text() + ", relaxed");
    OracleQuery relaxed = query;
    relaxed.is_relaxed = true;
    const OwnedAnswer answer = ask_oracle(fixture.problem(), relaxed);
    const bool has_no_output =
        ask_oracle(fixture.problem(), query).has_flag(SCULPT_ANSWER_NO_OUTPUT);
    const OutputSet& set = fixture.outputs(query.example);
    context.count(set.complete ? TestContext::Compared::all_outputs
                               : TestContext::Compared::some_outputs);
    const auto refuse = [&](const std::string& what) {
      context.fail({fixture.oracle_name() + " " + what, example_text(fixture, query.example),
                    relaxed.text(), "  relaxed " + answer.text()});
    };
    if (has_no_output != answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      refuse(has_no_output ? "reports NO_OUTPUT, but has a relaxed answer"
                           : "reports NO_OUTPUT for its relaxed answer, but has an output");
    }
    if (has_no_output || answer.fractional() || !set.complete) return;
    const bool is_output =
        std::any_of(set.outputs.begin(), set.outputs.end(),
                    [&](const Output& output) { return output.labels == answer.labels; });
    if (!is_output) refuse("gives a relaxed answer that is an output, but there is no such output");
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
  OwnedAnswer read(const OracleQuery& query) {
    const sculpt_query raw_query = raw_query_of(problem_, query);
    sum_.clear();
    Answer buffer;
    {
      const LentQuery lent(oracle_, raw_query);
      RelaxedAnswerStruct answer_struct(buffer);
      FilledLabels labels(oracle_, answer_struct.raw()->labels);
      oracle_.call("cut", query.example, [&](sculpt_error* error) {
        return oracle_.extension<sculpt_ext_cut>()->cut(sessions_.for_worker(0), lent.raw(),
                                                        sum_.raw(), answer_struct.raw(), error);
      });
      labels.take();
      lent.require_unchanged();
      answer_struct.copy_to_answer();
    }
    const std::string fault = sum_.fault();
    if (!fault.empty()) oracle_.refuse(Exit::plugin, query.example, fault);
    OwnedAnswer answer(buffer);
    answer.loss = buffer.info.loss;
    sum_.merge(answer.psi);
    return answer;
  }

 private:
  Problem& problem_;
  const Component& oracle_;
  Sessions sessions_;
  SparseAccumulator sum_;
};

// Returns the largest difference of two feature vectors, and the terms of all entries.
AugmentedScore largest_difference(const SparseVector& a, const SparseVector& b,
                                  std::int64_t dimension) {
  std::vector<double> differences(static_cast<std::size_t>(dimension), 0.0);
  AugmentedScore result;
  for (const auto& [vector, sign] : {std::pair{&a, 1.0}, std::pair{&b, -1.0}}) {
    for (std::size_t k = 0; k < vector->index.size(); ++k) {
      differences[static_cast<std::size_t>(vector->index[k])] += sign * vector->value[k];
      result.terms += {std::abs(vector->value[k]), 1};
    }
  }
  for (const double entry : differences) result.value = std::max(result.value, std::abs(entry));
  return result;
}

// If the relaxed answer is an output, its psi and loss are those of the output.
void cut_features_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  const std::string name = fixture.oracle_name();
  if (fixture.oracle().extension<sculpt_ext_cut>() == nullptr) {
    context.skip(name + " is a map_solver: the host computes psi and loss from its beliefs");
  }
  WrittenCut cut(fixture);
  fixture.each_query(context, "cut.features", [&](const OracleQuery& query) {
    context.set_activity(query.text() + ", relaxed");
    const OwnedAnswer answer = cut.read(query);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT) || answer.fractional()) return;
    context.count();
    const Output output = fixture.with_psi_and_loss(query.example, answer.labels);
    const AugmentedScore difference =
        largest_difference(answer.psi, output.psi, fixture.problem().dimension());
    const bool loss_counts = query.has_truth && fixture.supports_loss();
    const double loss = loss_counts ? output.loss : answer.loss;
    const bool has_same_loss = std::abs(answer.loss - loss) <= rounding_of_loss(output);
    if (difference.value <= difference.terms.rounding() && has_same_loss) return;
    context.fail({name + " gives a relaxed answer that is an output, but " +
                      (has_same_loss ? "its psi is not that of the output: an entry differs by " +
                                           exact_number_text(difference.value)
                                     : "its loss is " + exact_number_text(answer.loss) +
                                           " and that of the output " + exact_number_text(loss)),
                  example_text(fixture, query.example) + "; " + query.text(),
                  output_text(fixture, query, "answer", output)});
  });
  if (context.cases() == 0) context.skip(name + ": none of its relaxed answers was an output");
}

}  // namespace

std::span<const ExperimentTest> relaxed_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{{{"cut.value", cut_value_test},
                                                        {"cut.output", cut_output_test},
                                                        {"cut.features", cut_features_test},
                                                        {"cut.bound", cut_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
