// answer_repeat_check.hpp - checks that an oracle gives the same answer again, for --guard.
//
// After each call, the previous query and then this query are asked again. An oracle that keeps
// state between calls gives a different answer. Called by Oracle::argmax and Oracle::relaxed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class AnswerRepeatCheck {
 public:
  using AskOracle = std::function<void(const sculpt_query&, Answer&)>;

  explicit AnswerRepeatCheck(int threads) : last_queries_(static_cast<std::size_t>(threads)) {}

  // `answer` is the oracle's answer to `query`. Throws Failure(Exit::plugin) in its name if it now
  // gives a different answer. [worker]
  void check(int worker, const Component& oracle, const sculpt_query& query, const Answer& answer,
             const AskOracle& ask);

 private:
  struct AnswerRecord {
    std::uint32_t flags = 0;
    bool fractional = false;
    double loss = 0;  // of a relaxed answer
    std::vector<std::int32_t> labels;
    double value = 0;
    double bound = 0;  // 0 if the answer has no bound
    bool operator==(const AnswerRecord&) const = default;
  };
  struct alignas(cache_line) LastQuery {
    bool is_set = false;
    sculpt_query query = {};
    AnswerRecord record;
    bool is_of_batch = false;
  };
  static AnswerRecord record_of(const Answer& answer);
  // Throws if a query has another answer now. `preceding_example`: the example of the query before
  // it, for the message.
  static void ask_again(const Component& oracle, const LastQuery& query,
                        std::int64_t preceding_example, const AskOracle& ask);

  std::vector<LastQuery> last_queries_;  // [threads]
};

}  // namespace sculpt::core
