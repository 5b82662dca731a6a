// frontier_repeat_check.hpp - whether an oracle gives the same frontier again, for --guard.
//
// Every conversation is held once more when it is over, after the one before it was held once more:
// what an oracle carries from call to call shows in sizes, scores or outputs that change. Of a
// slice a hash is kept. Called by Oracle; answer_guard.hpp does the same for argmax.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "problem/oracle/frontier.hpp"

namespace sculpt::core {

class FrontierGuard {
 public:
  // The functions of an oracle, by the names they have there.
  struct Ask {
    std::function<const Frontier::Shape&(const sculpt_query&)> begin;
    std::function<void(std::int64_t first, std::vector<double>& score)> slice;
    std::function<void(std::int64_t example, const Counts& counts, Answer& answer)> output;
  };

  explicit FrontierGuard(int threads) : last_queries_(static_cast<std::size_t>(threads)) {}

  // What the oracle has just said. [worker]
  void begun(int worker, const sculpt_query& query, const Frontier::Shape& shape);
  void heard(int worker, std::int64_t first, const std::vector<double>& score);
  void heard(int worker, const Counts& counts, const Answer& answer);

  // The conversation is over. Refused in the name of the oracle when it says something else now.
  // `counts` are those of its loss. [worker]
  void check(int worker, const Component& oracle, std::span<const sculpt_count> counts,
             const Ask& ask);

 private:
  struct Slice {
    std::int64_t first;
    std::uint64_t hash;
  };
  struct Output {
    Counts counts;
    std::vector<std::int32_t> labels;
  };
  struct RecordedQuery {
    bool held = false;
    sculpt_query query = {};
    Frontier::Shape shape;
    std::vector<Slice> slices;
    std::vector<Output> outputs;
  };
  struct LastQuery {
    RecordedQuery now;
    RecordedQuery before;
  };

  LastQuery& last(int worker) { return last_queries_[static_cast<std::size_t>(worker)]; }
  // What differs when it is held again, or "".
  static std::string change(const RecordedQuery& recorded, std::span<const sculpt_count> counts,
                            const Ask& ask);

  std::vector<LastQuery> last_queries_;  // [threads]
};

}  // namespace sculpt::core
