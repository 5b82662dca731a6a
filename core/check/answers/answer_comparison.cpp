#include "check/answers/answer_comparison.hpp"

#include <sculpt/ext/cut.h>

#include "check/fixture/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

// As many as there are labels; of a relaxed answer, which has none, as many as psi has terms.
double parts_of_loss(const Output& output) {
  return output.fractional ? output.cancelled.count : static_cast<double>(output.labels.size());
}

}  // namespace

Value value_of(const Question& question, const Output& output) {
  const Worth worth = worth_of(output, question.w->values());
  Value value{worth.score + question.loss_weight * output.loss, worth.terms};
  value.terms += terms_of_loss(question.loss_weight, output.loss, parts_of_loss(output));
  return value;
}

double rounding_of_loss(const Output& output) {
  return terms_of_loss(1, output.loss, parts_of_loss(output)).rounding();
}

double excess_allowed(const Reply& reply, const Terms& terms) {
  const bool numerical = reply.has(SCULPT_ANSWER_BOUND);
  return terms.rounding() + (numerical ? numerical_part * terms.size : 0);
}

void require_relaxed(Bench& bench, Findings& findings) {
  if (bench.problem().oracle().relaxes()) return;
  findings.skip(bench.oracle_name() + " gives no relaxed answers (" SCULPT_EXT_CUT
                                      ", " SCULPT_EXT_MAP_CUT ")");
}

const Output* best_output(Bench& bench, const Question& question, const Reply& reply) {
  const OutputSet& set = bench.outputs(question.example);
  const Output* best = nullptr;
  double best_value = 0;
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (k == set.truth && bench.truth_outside(question, reply)) continue;
    const double value = value_of(question, set.outputs[k]).value;
    if (best != nullptr && !(value > best_value)) continue;
    best = &set.outputs[k];
    best_value = value;
  }
  return best;
}

namespace {

// The best assignment of the factor graph with one label changed; nothing where there is no graph.
std::optional<Output> best_neighbour(Bench& bench, const Question& question,
                                     const std::vector<std::int32_t>& labels) {
  FactorGraphUse use(bench.problem().features());
  const bool own_set = bench.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
  if (!use.offered() || own_set) return std::nullopt;
  const sculpt_factor_graph& graph = use.graph(question.example);
  if (!fits(graph, labels)) return std::nullopt;
  std::optional<Output> best;
  std::vector<std::int32_t> y = labels;
  for (std::size_t v = 0; v < y.size(); ++v) {
    for (y[v] = 0; y[v] < graph.states[v]; ++y[v]) {
      if (y[v] == labels[v]) continue;
      Output output = bench.appraised(question.example, y);
      const double value = value_of(question, output).value;
      if (!best || value > value_of(question, *best).value) best = std::move(output);
    }
    y[v] = labels[v];
  }
  return best;
}

}  // namespace

std::optional<Beaten> beaten(Bench& bench, const Question& question, const Reply& reply) {
  Output answer = bench.appraised(question.example, reply.labels);
  const Value mine = value_of(question, answer);
  const auto beats = [&](const Output& other) {
    const Value theirs = value_of(question, other);
    return theirs.value - mine.value > excess_allowed(reply, mine.terms) + theirs.terms.rounding();
  };
  const Output* const best = best_output(bench, question, reply);
  if (best != nullptr && beats(*best)) return Beaten{std::move(answer), *best};
  if (bench.outputs(question.example).complete) return std::nullopt;
  std::optional<Output> neighbour = best_neighbour(bench, question, reply.labels);
  if (!neighbour || !beats(*neighbour)) return std::nullopt;
  return Beaten{std::move(answer), std::move(*neighbour)};
}

}  // namespace sculpt::core
