// frontier_repeat_check.hpp - checks that an oracle gives the same frontier again, for --guard.
//
// After each frontier query, the previous one and then this one are repeated. An oracle that keeps
// state between calls gives different sizes, scores or outputs. Only a hash of each slice is
// stored. Called by Oracle. answer_repeat_check.hpp does the same for argmax.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/oracle/frontier.hpp"

namespace sculpt::core {

class FrontierRepeatCheck {
 public:
  // Functions of the oracle, with the names that they have there.
  struct FrontierCalls {
    std::function<const Frontier::Shape&(const sculpt_query&)> begin;
    std::function<void(std::int64_t first, std::vector<double>& score)> slice;
    std::function<void(std::int64_t example, const Counts& counts, Answer& answer)> output;
  };

  explicit FrontierRepeatCheck(int threads) : last_queries_(static_cast<std::size_t>(threads)) {}

  // Record the results of the current frontier query. [worker]
  void record_begin(int worker, const sculpt_query& query, const Frontier::Shape& shape);
  void record_slice(int worker, std::int64_t first, const std::vector<double>& score);
  void record_output(int worker, const Counts& counts, const Answer& answer);

  // Repeats the previous and the current frontier query, after the end of the current one. Throws
  // Failure(Exit::plugin) in the name of the oracle if a result differs. `counts` are those of its
  // loss. [worker]
  void check(int worker, const Component& oracle, std::span<const sculpt_count> counts,
             const FrontierCalls& calls);

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
    bool is_set = false;
    sculpt_query query = {};
    Frontier::Shape shape;
    std::vector<Slice> slices;
    std::vector<Output> outputs;
  };
  struct alignas(cache_line) LastQueries {
    RecordedQuery current;
    RecordedQuery previous;
  };

  LastQueries& last(int worker) { return last_queries_[static_cast<std::size_t>(worker)]; }
  // Returns what differs in the repetition, or "".
  static std::string difference(const RecordedQuery& recorded, std::span<const sculpt_count> counts,
                                const FrontierCalls& calls);

  std::vector<LastQueries> last_queries_;  // [threads]
};

}  // namespace sculpt::core
