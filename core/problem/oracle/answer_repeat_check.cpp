#include "problem/oracle/answer_repeat_check.hpp"

#include <string>

#include "base/text/message_text.hpp"

namespace sculpt::core {

AnswerRepeatCheck::AnswerRecord AnswerRepeatCheck::record_of(const Answer& answer) {
  AnswerRecord said;
  said.flags = answer.flags();
  if (answer.has(SCULPT_ANSWER_NO_OUTPUT)) return said;
  said.fractional = answer.fractional();
  said.loss = answer.origin.loss;
  const sculpt_labels labels = answer.labels();
  said.labels.assign(labels.data, labels.data + labels.size);
  said.value = answer.value();
  if (answer.has(SCULPT_ANSWER_BOUND)) said.bound = answer.bound();
  return said;
}

void AnswerRepeatCheck::check(int worker, const Component& oracle, const sculpt_query& query,
                              const Answer& answer, const Ask& ask) {
  LastQuery& last = last_queries_[static_cast<std::size_t>(worker)];
  const AnswerRecord said = record_of(answer);
  // The weights of an older query no longer exist.
  const bool before = last.asked && last.query.weights.stamp == query.weights.stamp;
  if (before) ask_again(oracle, last.query, last.said, query.example, ask);
  ask_again(oracle, query, said, before ? last.query.example : query.example, ask);
  last = {true, query, said};
}

void AnswerRepeatCheck::ask_again(const Component& oracle, const sculpt_query& query,
                                  const AnswerRecord& said, std::int64_t after, const Ask& ask) {
  Answer answer;
  answer.clear();
  ask(query, answer);
  const AnswerRecord now = record_of(answer);
  if (now == said) return;
  const std::string difference =
      now.value == said.value
          ? (now.labels == said.labels ? "its flags, its bound or its loss" : "its output")
          : "its value, " + number_text(said.value, 17) + " and then " + number_text(now.value, 17);
  oracle.refuse(Exit::plugin, query.example,
                "the same question after one about example " + std::to_string(after) +
                    " has another answer; what differs is " + difference +
                    ". The oracle carries something from call to call");
}

}  // namespace sculpt::core
