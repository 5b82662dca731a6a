#include "check/judgement.hpp"

#include <algorithm>

namespace sculpt::core {

Value value_of(const Question& question, const Output& output) {
  const Worth worth = worth_of(output.psi, question.w->vector());
  const double loss = question.loss_weight * output.loss;
  return {worth.score + loss, worth.size + loss};
}

double rounding(double size) {
  return 1e-9 * size + 1e-12;
}

const Output* best_output(Bench& bench, const Question& question, const Reply& reply) {
  const OutputSet& set = bench.outputs(question.example);
  const Output* best = nullptr;
  double best_value = 0;
  for (std::size_t k = 0; k < set.outputs.size(); ++k) {
    if (k == set.truth && reply.has(SCULPT_ANSWER_TRUTH_OUTSIDE)) continue;
    const double value = value_of(question, set.outputs[k]).value;
    if (best != nullptr && !(value > best_value)) continue;
    best = &set.outputs[k];
    best_value = value;
  }
  return best;
}

std::optional<Beaten> beaten(Bench& bench, const Question& question, const Reply& reply) {
  const Output* const best = best_output(bench, question, reply);
  if (best == nullptr) return std::nullopt;
  Output answer = bench.appraised(question.example, reply.labels);
  const Value mine = value_of(question, answer);
  const Value theirs = value_of(question, *best);
  if (theirs.value - mine.value <= rounding(std::max(mine.size, theirs.size))) return std::nullopt;
  return Beaten{std::move(answer), best};
}

}  // namespace sculpt::core
