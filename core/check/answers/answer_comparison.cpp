#include "check/answers/answer_comparison.hpp"

#include <sculpt/ext/cut.h>

#include "check/fixture/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

// The number of labels. For a relaxed answer, which has no labels, the number of terms of psi.
double parts_of_loss(const Output& output) {
  return output.fractional ? output.cancelled.count : static_cast<double>(output.labels.size());
}

}  // namespace

AugmentedScore augmented_score_of(const OracleQuery& question, const Output& output) {
  const ScoreAndTerms worth = score_and_terms_of(output, question.w->values());
  AugmentedScore value{worth.score + question.loss_weight * output.loss, worth.terms};
  value.terms += terms_of_loss(question.loss_weight, output.loss, parts_of_loss(output));
  return value;
}

double rounding_of_loss(const Output& output) {
  return terms_of_loss(1, output.loss, parts_of_loss(output)).rounding();
}

double excess_allowed(const OwnedAnswer& reply, const Terms& terms) {
  const bool numerical = reply.has(SCULPT_ANSWER_BOUND);
  return terms.rounding() + (numerical ? numerical_part * terms.size : 0);
}

void require_relaxed(TestFixture& fixture, TestContext& context) {
  if (fixture.problem().oracle().relaxes()) return;
  context.skip(fixture.oracle_name() + " gives no relaxed answers (" SCULPT_EXT_CUT
                                       ", " SCULPT_EXT_MAP_CUT ")");
}

const Output* best_output(TestFixture& fixture, const OracleQuery& question,
                          const OwnedAnswer& reply) {
  const OutputSet& set = fixture.outputs(question.example);
  const Output* best = nullptr;
  double best_value = 0;
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (k == set.truth && fixture.truth_outside(question, reply)) continue;
    const double value = augmented_score_of(question, set.outputs[k]).value;
    if (best != nullptr && !(value > best_value)) continue;
    best = &set.outputs[k];
    best_value = value;
  }
  return best;
}

namespace {

// Returns the best assignment of the factor graph that differs in one label. Nothing without a
// graph.
std::optional<Output> best_neighbour(TestFixture& fixture, const OracleQuery& question,
                                     const std::vector<std::int32_t>& labels) {
  FactorGraphReader use(fixture.problem().features());
  const bool own_set = fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
  if (!use.offered() || own_set) return std::nullopt;
  const sculpt_factor_graph& graph = use.graph(question.example);
  if (!fits(graph, labels)) return std::nullopt;
  std::optional<Output> best;
  std::vector<std::int32_t> y = labels;
  for (std::size_t v = 0; v < y.size(); ++v) {
    for (y[v] = 0; y[v] < graph.states[v]; ++y[v]) {
      if (y[v] == labels[v]) continue;
      Output output = fixture.with_psi_and_loss(question.example, y);
      const double value = augmented_score_of(question, output).value;
      if (!best || value > augmented_score_of(question, *best).value) best = std::move(output);
    }
    y[v] = labels[v];
  }
  return best;
}

}  // namespace

std::optional<BetterOutput> beaten(TestFixture& fixture, const OracleQuery& question,
                                   const OwnedAnswer& reply) {
  Output answer = fixture.with_psi_and_loss(question.example, reply.labels);
  const AugmentedScore mine = augmented_score_of(question, answer);
  const auto beats = [&](const Output& other) {
    const AugmentedScore theirs = augmented_score_of(question, other);
    return theirs.value - mine.value > excess_allowed(reply, mine.terms) + theirs.terms.rounding();
  };
  const Output* const best = best_output(fixture, question, reply);
  if (best != nullptr && beats(*best)) return BetterOutput{std::move(answer), *best};
  if (fixture.outputs(question.example).complete) return std::nullopt;
  std::optional<Output> neighbour = best_neighbour(fixture, question, reply.labels);
  if (!neighbour || !beats(*neighbour)) return std::nullopt;
  return BetterOutput{std::move(answer), std::move(*neighbour)};
}

}  // namespace sculpt::core
