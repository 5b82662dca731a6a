#include "problem/oracle/answer_repeat_check.hpp"

#include <sculpt/ext/batch_argmax.h>

#include <string>

#include "base/text/message_text.hpp"

namespace sculpt::core {

AnswerRepeatCheck::AnswerRecord AnswerRepeatCheck::record_of(const Answer& answer) {
  AnswerRecord record;
  record.flags = answer.flags();
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return record;
  record.fractional = answer.fractional();
  record.loss = answer.info.loss;
  const sculpt_labels labels = answer.labels();
  record.labels.assign(labels.data, labels.data + labels.size);
  record.value = answer.value();
  if (answer.has_flag(SCULPT_ANSWER_BOUND)) record.bound = answer.bound();
  return record;
}

void AnswerRepeatCheck::check(int worker, const Component& oracle, const sculpt_query& query,
                              const Answer& answer, const AskOracle& ask) {
  LastQuery& last = last_queries_[static_cast<std::size_t>(worker)];
  const LastQuery current = {true, query, record_of(answer), answer.info.is_of_batch};
  // The weights of an older query no longer exist.
  const bool can_repeat_last = last.is_set && last.query.weights.stamp == query.weights.stamp;
  if (can_repeat_last) ask_again(oracle, last, query.example, ask);
  ask_again(oracle, current, can_repeat_last ? last.query.example : query.example, ask);
  last = current;
}

void AnswerRepeatCheck::ask_again(const Component& oracle, const LastQuery& query,
                                  std::int64_t preceding_example, const AskOracle& ask) {
  const AnswerRecord& record = query.record;
  Answer answer;
  answer.clear();
  ask(query.query, answer);
  const AnswerRecord repeated = record_of(answer);
  if (repeated == record) return;
  std::string difference = "its output";
  if (repeated.value != record.value) {
    difference = "its value, " + number_text(record.value, 17) + " and then " +
                 number_text(repeated.value, 17);
  } else if (repeated.labels == record.labels) {
    difference = "its flags, its bound or its loss";
  }
  if (query.is_of_batch) {
    oracle.refuse(Exit::plugin, query.query.example,
                  "its answer in a batch (" SCULPT_EXT_BATCH_ARGMAX
                  ") is not that of argmax; the difference is in " +
                      difference + ". A batch must give the answers of single calls");
  }
  oracle.refuse(Exit::plugin, query.query.example,
                "the same query after one about example " + std::to_string(preceding_example) +
                    " has a different answer; the difference is in " + difference +
                    ". The oracle keeps state between calls");
}

}  // namespace sculpt::core
