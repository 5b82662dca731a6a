#include "check/question.hpp"

#include <algorithm>

#include "base/message_text.hpp"

namespace sculpt::core {

std::string Question::text() const {
  return "example " + std::to_string(example) +
         (with_truth ? ", loss_weight " + exact_number_text(loss_weight) : ", without its truth") +
         (relaxed ? ", relaxed" : "");
}

Reply::Reply(const Answer& answer)
    : value(answer.value()),
      bound(answer.has(SCULPT_ANSWER_BOUND) ? answer.bound() : 0),
      flags(answer.has(SCULPT_ANSWER_EXACT) * SCULPT_ANSWER_EXACT |
            answer.has(SCULPT_ANSWER_BOUND) * SCULPT_ANSWER_BOUND |
            answer.has(SCULPT_ANSWER_NO_OUTPUT) * SCULPT_ANSWER_NO_OUTPUT |
            answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE) * SCULPT_ANSWER_TRUTH_OUTSIDE) {
  if (has(SCULPT_ANSWER_NO_OUTPUT)) {
    value = bound = 0;
    return;
  }
  if (answer.fractional()) {
    flags |= SCULPT_CUT_FRACTIONAL;
    loss = answer.origin.loss;
    return;
  }
  const sculpt_labels y = answer.labels();
  labels.assign(y.data, y.data + y.size);
}

std::string Reply::text() const {
  if (has(SCULPT_ANSWER_NO_OUTPUT)) return "NO_OUTPUT";
  std::string text =
      (fractional() ? "fractional" : labels_text(labels)) + ", value " + exact_number_text(value);
  if (has(SCULPT_ANSWER_BOUND)) text += ", bound " + exact_number_text(bound);
  if (has(SCULPT_ANSWER_EXACT)) text += ", EXACT";
  if (has(SCULPT_ANSWER_TRUTH_OUTSIDE)) text += ", TRUTH_OUTSIDE";
  return text;
}

double least_ceiling(const Reply& reply) {
  if (!reply.has(SCULPT_ANSWER_EXACT)) return reply.bound;
  return reply.has(SCULPT_ANSWER_BOUND) ? std::min(reply.value, reply.bound) : reply.value;
}

sculpt_query query_of(Problem& problem, const Question& question) {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.example = question.example;
  query.seed = question.seed;
  query.weights = question.w->lent();
  query.loss_weight = question.loss_weight;
  if (question.with_truth) query.truth = problem.dataset().truth(question.example);
  return query;
}

Reply ask(Problem& problem, const Question& question, int worker) {
  const sculpt_query query = query_of(problem, question);
  Answer answer;
  if (!question.relaxed) {
    problem.oracle().argmax(worker, query, answer);
    return Reply(answer);
  }
  SparseAccumulator scratch(problem.dimension());
  SparseVector psi;
  problem.oracle().relaxed(worker, query, scratch, psi, answer);
  Reply reply(answer);
  if (reply.fractional()) {
    reply.cancelled = scratch.cancelled(psi);
    reply.psi = std::move(psi);
  }
  return reply;
}

std::string labels_text(const std::vector<std::int32_t>& labels) {
  std::vector<std::string> words;
  for (const std::int32_t label : labels) words.push_back(std::to_string(label));
  return "[" + joined(words, " ") + "]";
}

}  // namespace sculpt::core
