// answer_repeat_check.hpp - whether an oracle gives the same answer again, for --guard.
//
// Every question is asked once more, after the one before it was asked once more: what an oracle
// carries from call to call shows in an answer that changes. Called by Oracle::argmax.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class AnswerGuard {
 public:
  using Ask = std::function<void(const sculpt_query&, Answer&)>;

  explicit AnswerGuard(int threads) : last_queries_(static_cast<std::size_t>(threads)) {}

  // `answer` is what the oracle has just said to `query`. Refused in its name when it says
  // something else now. [worker]
  void check(int worker, const Component& oracle, const sculpt_query& query, const Answer& answer,
             const Ask& ask);

 private:
  struct AnswerRecord {
    std::uint32_t flags = 0;
    bool fractional = false;
    double loss = 0;  // of a relaxed answer
    std::vector<std::int32_t> labels;
    double value = 0;
    double bound = 0;  // 0 where none is promised
    bool operator==(const AnswerRecord&) const = default;
  };
  struct LastQuery {
    bool asked = false;
    sculpt_query query = {};  // of the question before
    AnswerRecord said;
  };
  static AnswerRecord record_of(const Answer& answer);
  static void ask_again(const Component& oracle, const sculpt_query& query,
                        const AnswerRecord& said, std::int64_t after, const Ask& ask);

  std::vector<LastQuery> last_queries_;  // [threads]
};

}  // namespace sculpt::core
