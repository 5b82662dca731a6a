#include "check/answers/claims.hpp"

#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"

namespace sculpt::core {
namespace {

// Returns lines if the value of `output` is above `most`, the upper bound that the answer claims.
std::vector<std::string> above(TestFixture& fixture, const OracleQuery& question,
                               const OwnedAnswer& reply, double most, const char* role,
                               const Output& output) {
  const AugmentedScore value = augmented_score_of(question, output);
  if (most >= value.value - excess_allowed(reply, value.terms)) return {};
  return counter_example(fixture,
                         fixture.oracle_name() + " says that no output has a value above " +
                             exact_number_text(most) + ", but this one has " +
                             exact_number_text(value.value),
                         question, {{role, &output}});
}

// Returns the answer as an output, with its psi and loss.
Output answered(TestFixture& fixture, const OracleQuery& question, const OwnedAnswer& reply) {
  if (reply.fractional()) return {{}, reply.psi, reply.loss, true, reply.cancelled};
  return fixture.with_psi_and_loss(question.example, reply.labels);
}

}  // namespace

std::vector<std::string> value_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply) {
  const Output answer = answered(fixture, question, reply);
  const AugmentedScore mine = augmented_score_of(question, answer);
  const double apart = std::abs(mine.value - reply.value);
  if (apart <= mine.terms.rounding()) return {};
  return counter_example(fixture,
                         fixture.oracle_name() + " says the value of its answer is " +
                             exact_number_text(reply.value) +
                             "; <w, psi> + loss_weight * loss of it is " +
                             exact_number_text(mine.value) + " (" + number_text(apart) + " apart)",
                         question, {{"answer", &answer}});
}

std::vector<std::string> exact_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply) {
  if (!reply.has(SCULPT_ANSWER_EXACT)) return {};
  const std::optional<BetterOutput> found = beaten(fixture, question, reply);
  if (!found) return {};
  const double apart = augmented_score_of(question, found->better).value -
                       augmented_score_of(question, found->answer).value;
  std::vector<std::string> lines = counter_example(
      fixture,
      fixture.oracle_name() + " calls its answer EXACT, but another output is better by " +
          exact_number_text(apart),
      question, {{"answer", &found->answer}, {"better", &found->better}});
  lines.push_back("  looked at: " + fixture.outputs(question.example).origin);
  return lines;
}

std::vector<std::string> truth_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply) {
  const bool exact = reply.has(SCULPT_ANSWER_EXACT);
  if (!exact && !reply.has(SCULPT_ANSWER_BOUND)) return {};
  const sculpt_labels y = fixture.truth(question.example);
  const Output truth = fixture.with_psi_and_loss(question.example, {y.data, y.data + y.size});
  const AugmentedScore least = augmented_score_of(question, truth);
  const double most = exact ? reply.value : reply.bound;
  if (most >= least.value - excess_allowed(reply, least.terms)) return {};
  if (fixture.truth_outside(question, reply)) return {};
  return counter_example(fixture,
                         fixture.oracle_name() + " says that no output has a value above " +
                             exact_number_text(most) + ", but the truth has " +
                             exact_number_text(least.value) +
                             "; where the truth is not searched, say TRUTH_OUTSIDE",
                         question, {{"truth", &truth}});
}

std::vector<std::string> truth_outside_violation(TestFixture& fixture, const OracleQuery& question,
                                                 const OwnedAnswer& reply) {
  const OutputSet& set = fixture.outputs(question.example);
  if (!question.with_truth || !set.complete) return {};
  const bool listed = set.truth != OutputSet::npos;
  const bool outside = reply.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (listed != outside) return {};
  const sculpt_labels y = fixture.truth(question.example);
  const Output truth = fixture.with_psi_and_loss(question.example, {y.data, y.data + y.size});
  std::vector<std::string> lines =
      counter_example(fixture,
                      fixture.oracle_name() +
                          (outside ? " says TRUTH_OUTSIDE, but the truth is one of the outputs"
                                   : " does not say TRUTH_OUTSIDE, but the truth is none of the "
                                     "outputs"),
                      question, {{"truth", &truth}});
  lines.push_back("  looked at: " + set.origin);
  return lines;
}

std::vector<std::string> broken_own_bound(TestFixture& fixture, const OracleQuery& question,
                                          const OwnedAnswer& reply) {
  if (!reply.has(SCULPT_ANSWER_BOUND)) return {};
  return above(fixture, question, reply, reply.bound, "answer", answered(fixture, question, reply));
}

std::vector<std::string> broken_relaxed_bound(TestFixture& fixture, const OracleQuery& question,
                                              const OwnedAnswer& reply) {
  const bool exact = reply.has(SCULPT_ANSWER_EXACT);
  if (!exact && !reply.has(SCULPT_ANSWER_BOUND)) return {};
  const double most = upper_bound_of(reply);
  std::vector<std::string> lines =
      above(fixture, question, reply, most, "answer", answered(fixture, question, reply));
  const Output* const best = best_output(fixture, question, reply);
  if (lines.empty() && best != nullptr) {
    lines = above(fixture, question, reply, most, "other", *best);
  }
  return lines.empty() && question.with_truth ? truth_violation(fixture, question, reply) : lines;
}

std::vector<std::string> bound_violation(TestFixture& fixture, const OracleQuery& question,
                                         const OwnedAnswer& reply) {
  if (!reply.has(SCULPT_ANSWER_BOUND)) return {};
  const Output answer = fixture.with_psi_and_loss(question.example, reply.labels);
  const Output* const best = best_output(fixture, question, reply);
  const bool own = best == nullptr || augmented_score_of(question, *best).value <=
                                          augmented_score_of(question, answer).value;
  return own ? above(fixture, question, reply, reply.bound, "answer", answer)
             : above(fixture, question, reply, reply.bound, "other", *best);
}

}  // namespace sculpt::core
