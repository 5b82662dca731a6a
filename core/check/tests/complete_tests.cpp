// Tests of the best output that agrees with a partial truth (sculpt/ext/complete.h). The reference
// is the best of the listed outputs that agree with it.

#include <algorithm>
#include <array>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/claims.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

using PartialTruth = std::vector<std::int32_t>;

bool agrees_with(const Output& output, const PartialTruth& truth) {
  return std::equal(
      output.labels.begin(), output.labels.end(), truth.begin(), truth.end(),
      [](std::int32_t label, std::int32_t given) { return given < 0 || label == given; });
}

// A partial truth: some labels of an output, now and then all or none, or some of another output
// too, so that perhaps no output agrees.
PartialTruth draw_partial_truth(const OutputSet& set, Random& random) {
  PartialTruth truth = set.outputs[random.below(set.outputs.size())].labels;
  const Output& other = set.outputs[random.below(set.outputs.size())];
  const bool mixes = random.chance(4) && other.labels.size() == truth.size();
  const int free_in = random.chance(8) ? 1 : random.chance(8) ? 1000 : 2;  // one label in so many
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (mixes && random.chance(2)) truth[k] = other.labels[k];
    if (random.chance(free_in)) truth[k] = -1;
  }
  return truth;
}

// A query for a completion, with what is needed to judge its answer.
class CompletionCase {
 public:
  CompletionCase(TestFixture& fixture, TestContext& context, const OracleQuery& query,
                 PartialTruth truth)
      : fixture_(fixture), context_(context), query_(query), truth_(std::move(truth)) {}

  void run() {
    context_.set_activity(query_.text() + ", partial truth " + labels_text(truth_));
    const OutputSet& set = fixture_.outputs(query_.example);
    context_.count(set.complete ? TestContext::Compared::all_outputs
                                : TestContext::Compared::some_outputs);
    const OwnedAnswer answer = ask();
    const OwnedAnswer other = ask_oracle(fixture_.problem(), query_);  // by the same session
    if (!(ask() == answer)) refuse("differs in a second call", {});
    const Output* best = best_agreeing(set, fixture_.truth_outside(query_, other));
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      if (best != nullptr) refuse("is NO_OUTPUT, but an output agrees", {{"agrees", best}});
      return;
    }
    const Output own = fixture_.with_psi_and_loss(query_.example, answer.labels);
    const bool is_listed =
        std::any_of(set.outputs.begin(), set.outputs.end(),
                    [&](const Output& output) { return output.labels == answer.labels; });
    if (set.complete && !is_listed) refuse("is no output", {{"answer", &own}});
    const std::vector<std::string> lines = value_violation(fixture_, query_, answer);
    if (!lines.empty()) context_.fail(lines);
    if (best != nullptr) test_claims(answer, own, *best);
  }

 private:
  OwnedAnswer ask() const {
    static const std::int32_t empty = 0;
    sculpt_query raw = raw_query_of(fixture_.problem(), query_);
    raw.truth = {truth_.empty() ? &empty : truth_.data(), static_cast<std::int64_t>(truth_.size())};
    Answer answer;
    fixture_.problem().oracle().complete(0, raw, answer);
    return OwnedAnswer(answer);
  }

  const Output* best_agreeing(const OutputSet& set, bool is_truth_outside) const {
    const Output* best = nullptr;
    for (std::size_t k = 0; k < set.outputs.size(); ++k) {
      const Output& output = set.outputs[k];
      if (!agrees_with(output, truth_) || (is_truth_outside && k == set.truth)) continue;
      const bool is_better = best == nullptr || augmented_score_of(query_, output).value >
                                                    augmented_score_of(query_, *best).value;
      if (is_better) best = &output;
    }
    return best;
  }

  // EXACT: no output that agrees is better. BOUND: none has a value above the bound.
  void test_claims(const OwnedAnswer& answer, const Output& own, const Output& best) {
    if (!answer.has_flag(SCULPT_ANSWER_EXACT) && !answer.has_flag(SCULPT_ANSWER_BOUND)) return;
    const AugmentedScore score = augmented_score_of(query_, best);
    const double allowed =
        allowed_excess(answer, augmented_score_of(query_, own).terms) + score.terms.rounding();
    if (score.value - upper_bound_of(answer) <= allowed) return;
    refuse("claims that no output above " + exact_number_text(upper_bound_of(answer)) + " agrees",
           {{"answer", &own}, {"better", &best}});
  }

  [[noreturn]] void refuse(const std::string& what,
                           const std::vector<std::pair<std::string, const Output*>>& outputs) {
    context_.fail(counter_example(
        fixture_,
        fixture_.oracle_name() + ": the completion of " + labels_text(truth_) + " " + what, query_,
        outputs));
  }

  TestFixture& fixture_;
  TestContext& context_;
  const OracleQuery& query_;
  const PartialTruth truth_;
};

// The completion agrees with the partial truth, has the value that it states, and is the best if it
// says so. It is NO_OUTPUT only if no output agrees.
void complete_best_test(TestFixture& fixture, TestContext& context) {
  Oracle& oracle = fixture.problem().oracle();
  if (!oracle.completes()) {
    context.skip_not_offered("completions of partial truths (" SCULPT_EXT_COMPLETE ")");
  }
  if (oracle.component().has_trait(SCULPT_TRAIT_SEPARATION_SET)) {
    context.skip("the outputs of " + fixture.oracle_name() +
                 " depend on the truth, so the outputs for a partial truth are not known");
  }
  constexpr int truths_per_query = 4;
  Random random = fixture.random("complete.best");
  fixture.each_query(context, "complete.best", [&](const OracleQuery& query) {
    const OutputSet& set = fixture.outputs(query.example);
    if (query.loss_weight != 0 || !query.has_truth || set.outputs.empty()) return;
    for (int k = 0; k < truths_per_query; ++k) {
      CompletionCase(fixture, context, query, draw_partial_truth(set, random)).run();
    }
  });
  if (context.cases() == 0) context.skip("no example has a known output");
}

}  // namespace

std::span<const ExperimentTest> complete_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"complete.best", complete_best_test}}};
  return tests;
}

}  // namespace sculpt::core
