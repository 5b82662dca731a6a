#include "check/answers/claims.hpp"

#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/graph_maximum.hpp"

namespace sculpt::core {
namespace {

// Returns lines if the value of `output` is above the upper bound that the answer claims.
std::vector<std::string> lines_if_above(TestFixture& fixture, const OracleQuery& query,
                                        const OwnedAnswer& answer, double claimed_bound,
                                        const char* role, const Output& output) {
  const AugmentedScore score = augmented_score_of(query, output);
  if (claimed_bound >= score.value - allowed_excess(answer, score.terms)) return {};
  return counter_example(fixture,
                         fixture.oracle_name() + " claims that no output has a value above " +
                             exact_number_text(claimed_bound) + ", but this one has " +
                             exact_number_text(score.value),
                         query, {{role, &output}});
}

// Returns the answer as an output, with its psi and loss.
Output output_of(TestFixture& fixture, const OracleQuery& query, const OwnedAnswer& answer) {
  if (answer.fractional()) return {{}, answer.psi, answer.loss, true, answer.cancelling};
  return fixture.with_psi_and_loss(query.example, answer.labels);
}

}  // namespace

std::vector<std::string> value_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer) {
  const Output output = output_of(fixture, query, answer);
  const AugmentedScore score = augmented_score_of(query, output);
  const double difference = std::abs(score.value - answer.value);
  if (difference <= score.terms.rounding()) return {};
  return counter_example(
      fixture,
      fixture.oracle_name() + ": the value of its answer is " + exact_number_text(answer.value) +
          ", but <w, psi> + loss_weight * loss is " + exact_number_text(score.value) + " (" +
          number_text(difference) + " apart)",
      query, {{"answer", &output}});
}

std::vector<std::string> exact_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer) {
  if (!answer.has_flag(SCULPT_ANSWER_EXACT)) return {};
  const std::optional<BetterOutput> found = find_better_output(fixture, query, answer);
  if (!found) return {};
  const double difference = augmented_score_of(query, found->better).value -
                            augmented_score_of(query, found->answer).value;
  std::vector<std::string> lines =
      counter_example(fixture,
                      fixture.oracle_name() + " reports EXACT, but another output is better by " +
                          exact_number_text(difference),
                      query, {{"answer", &found->answer}, {"better", &found->better}});
  lines.push_back("  compared with: " + fixture.outputs(query.example).description);
  return lines;
}

std::vector<std::string> truth_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer) {
  const bool exact = answer.has_flag(SCULPT_ANSWER_EXACT);
  if (!exact && !answer.has_flag(SCULPT_ANSWER_BOUND)) return {};
  const sculpt_labels y = fixture.truth(query.example);
  const Output truth = fixture.with_psi_and_loss(query.example, {y.data, y.data + y.size});
  const AugmentedScore score = augmented_score_of(query, truth);
  const double claimed_bound = exact ? answer.value : answer.bound;
  if (claimed_bound >= score.value - allowed_excess(answer, score.terms)) return {};
  if (fixture.truth_outside(query, answer)) return {};
  return counter_example(fixture,
                         fixture.oracle_name() + " claims that no output has a value above " +
                             exact_number_text(claimed_bound) + ", but the truth has " +
                             exact_number_text(score.value) +
                             "; set TRUTH_OUTSIDE if the oracle does not search the truth",
                         query, {{"truth", &truth}});
}

std::vector<std::string> truth_outside_violation(TestFixture& fixture, const OracleQuery& query,
                                                 const OwnedAnswer& answer) {
  const OutputSet& set = fixture.outputs(query.example);
  if (!query.has_truth || !set.complete) return {};
  const bool listed = set.truth != OutputSet::npos;
  const bool outside = answer.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (listed != outside) return {};
  const sculpt_labels y = fixture.truth(query.example);
  const Output truth = fixture.with_psi_and_loss(query.example, {y.data, y.data + y.size});
  std::vector<std::string> lines =
      counter_example(fixture,
                      fixture.oracle_name() +
                          (outside ? " reports TRUTH_OUTSIDE, but the truth is one of the outputs"
                                   : " does not report TRUTH_OUTSIDE, but the truth is none of "
                                     "the outputs"),
                      query, {{"truth", &truth}});
  lines.push_back("  compared with: " + set.description);
  return lines;
}

std::vector<std::string> own_bound_violation(TestFixture& fixture, const OracleQuery& query,
                                             const OwnedAnswer& answer) {
  if (!answer.has_flag(SCULPT_ANSWER_BOUND)) return {};
  return lines_if_above(fixture, query, answer, answer.bound, "answer",
                        output_of(fixture, query, answer));
}

std::vector<std::string> relaxed_bound_violation(TestFixture& fixture, const OracleQuery& query,
                                                 const OwnedAnswer& answer) {
  const bool exact = answer.has_flag(SCULPT_ANSWER_EXACT);
  if (!exact && !answer.has_flag(SCULPT_ANSWER_BOUND)) return {};
  const double claimed_bound = upper_bound_of(answer);
  std::vector<std::string> lines = lines_if_above(fixture, query, answer, claimed_bound, "answer",
                                                  output_of(fixture, query, answer));
  const Output* const best = best_output(fixture, query, answer);
  if (lines.empty() && best != nullptr) {
    lines = lines_if_above(fixture, query, answer, claimed_bound, "other", *best);
  }
  return lines.empty() && query.has_truth ? truth_violation(fixture, query, answer) : lines;
}

std::vector<std::string> bound_violation(TestFixture& fixture, const OracleQuery& query,
                                         const OwnedAnswer& answer) {
  if (!answer.has_flag(SCULPT_ANSWER_BOUND)) return {};
  const Output output = fixture.with_psi_and_loss(query.example, answer.labels);
  const Output* const best = best_output(fixture, query, answer);
  const std::optional<Output> of_graph =
      fixture.outputs(query.example).complete ? std::nullopt : best_output_of_graph(fixture, query);
  const Output* largest = &output;
  const char* role = "answer";
  for (const Output* other : {best, of_graph ? &*of_graph : nullptr}) {
    if (other == nullptr) continue;
    if (augmented_score_of(query, *other).value <= augmented_score_of(query, *largest).value) {
      continue;
    }
    largest = other;
    role = "other";
  }
  return lines_if_above(fixture, query, answer, answer.bound, role, *largest);
}

}  // namespace sculpt::core
