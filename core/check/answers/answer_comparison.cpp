#include "check/answers/answer_comparison.hpp"

#include <sculpt/ext/cut.h>

#include "check/answers/graph_maximum.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

// The number of labels. For a relaxed answer, which has no labels, the number of terms of psi.
double loss_term_count(const Output& output) {
  return output.fractional ? output.cancelling.count : static_cast<double>(output.labels.size());
}

}  // namespace

AugmentedScore augmented_score_of(const OracleQuery& query, const Output& output) {
  const ScoreAndTerms score = score_and_terms_of(output, query.w->values());
  AugmentedScore augmented{score.value + query.loss_weight * output.loss, score.terms};
  augmented.terms += terms_of_loss(query.loss_weight, output.loss, loss_term_count(output));
  return augmented;
}

double rounding_of_loss(const Output& output) {
  return terms_of_loss(1, output.loss, loss_term_count(output)).rounding();
}

double allowed_excess(const OwnedAnswer& answer, const Terms& terms) {
  const bool has_bound = answer.has_flag(SCULPT_ANSWER_BOUND);
  return terms.rounding() + (has_bound ? numerical_tolerance * terms.magnitude : 0);
}

void require_relaxed(TestFixture& fixture, TestContext& context) {
  if (fixture.problem().oracle().relaxes()) return;
  context.skip_not_offered("relaxed answers (" SCULPT_EXT_CUT ", " SCULPT_EXT_MAP_CUT ") of " +
                           fixture.oracle_name());
}

const Output* best_output(TestFixture& fixture, const OracleQuery& query,
                          const OwnedAnswer& answer) {
  const OutputSet& set = fixture.outputs(query.example);
  const Output* best = nullptr;
  double best_value = 0;
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (k == set.truth && fixture.truth_outside(query, answer)) continue;
    const double value = augmented_score_of(query, set.outputs[k]).value;
    if (best != nullptr && !(value > best_value)) continue;
    best = &set.outputs[k];
    best_value = value;
  }
  return best;
}

namespace {

// Returns the best assignment of the factor graph that differs in one label, of those for which
// there is time. Nothing without a graph.
std::optional<Output> best_neighbour(TestFixture& fixture, const OracleQuery& query,
                                     const std::vector<std::int32_t>& labels) {
  FactorGraphReader reader(fixture.problem().features());
  const bool has_own_set = fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
  if (!reader.is_offered() || has_own_set) return std::nullopt;
  const sculpt_factor_graph& graph = reader.graph(query.example);
  if (!is_assignment(graph, labels)) return std::nullopt;
  std::optional<Output> best;
  std::vector<std::int32_t> y = labels;
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (fixture.timer().is_query_time_over(query_time_fraction)) break;
    for (y[v] = 0; y[v] < graph.states[v]; ++y[v]) {
      if (y[v] == labels[v]) continue;
      Output output = fixture.with_psi_and_loss(query.example, y);
      const double value = augmented_score_of(query, output).value;
      if (!best || value > augmented_score_of(query, *best).value) best = std::move(output);
    }
    y[v] = labels[v];
  }
  return best;
}

}  // namespace

std::optional<BetterOutput> find_better_output(TestFixture& fixture, const OracleQuery& query,
                                               const OwnedAnswer& answer) {
  Output output = fixture.with_psi_and_loss(query.example, answer.labels);
  const AugmentedScore own = augmented_score_of(query, output);
  const auto is_better = [&](const Output& other) {
    const AugmentedScore score = augmented_score_of(query, other);
    return score.value - own.value > allowed_excess(answer, own.terms) + score.terms.rounding();
  };
  const Output* const best = best_output(fixture, query, answer);
  if (best != nullptr && is_better(*best)) return BetterOutput{std::move(output), *best};
  if (fixture.outputs(query.example).complete) return std::nullopt;
  std::optional<Output> other = best_output_of_graph(fixture, query);
  if (!other) other = best_neighbour(fixture, query, answer.labels);
  if (!other || !is_better(*other)) return std::nullopt;
  return BetterOutput{std::move(output), std::move(*other)};
}

}  // namespace sculpt::core
