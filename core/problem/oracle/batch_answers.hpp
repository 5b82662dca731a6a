// batch_answers.hpp - the answers to several queries from one call, if the oracle offers
// sculpt/ext/batch_argmax.h.
//
// Callers announce the queries that they are going to make, then make them one by one. The first
// one that has no answer yet asks for a block: itself and the queries announced after it. The
// others find their answers here. So each answer goes through the checks of a single call, and each
// error appears where a single call would have it.
//
// Owned by ComponentOracle. The test oracle.batch of check calls ask().
#pragma once

#include <sculpt/ext/batch_argmax.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/failure.hpp"
#include "parallel/cache_line.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_batch_argmax> {
  static constexpr const char* id = SCULPT_EXT_BATCH_ARGMAX;
  static constexpr std::size_t required_functions = 1;
};

class BatchAnswers {
 public:
  // The largest number of queries in one call of take(). A stop request waits for the end of a
  // call, so it is not larger.
  static constexpr std::int64_t max_block = 64;

  static bool is_offered_by(const Component& oracle) {
    return oracle.extension<sculpt_ext_batch_argmax>() != nullptr;
  }
  // Requires is_offered_by(oracle). The oracle and its sessions outlive this.
  BatchAnswers(const Component& oracle, Sessions& sessions, int threads);

  // Replaces the queries that this worker has announced. A single one is not kept: it is asked
  // alone. Requires the same weights and loss_weight in all of them. Truths must live until the
  // last query. [worker]
  void announce(int worker, std::span<const sculpt_query> queries);

  // Called with the queries and the answers of a block, before the first is taken.
  using OnBlock = std::function<void(std::span<const sculpt_query>, std::deque<Answer>&)>;

  // Writes the answer to the next announced query to `answer`. Returns false if `query` is another
  // one: ask it alone. Throws Failure if the oracle has failed on this query. [worker]
  bool take(int worker, const sculpt_query& query, const OnBlock& on_block, Answer& answer);

  // The error of one query of a call.
  struct QueryFailure {
    std::size_t query = 0;
    Failure failure;
  };
  // Makes one call about all queries and writes answers[k] for queries[k]. Makes `answers` larger
  // if needed. Returns the error if it belongs to a query; no answer is valid then. Throws Failure
  // or Cancelled if it belongs to none. Requires at least one query. [worker]
  std::optional<QueryFailure> ask(int worker, std::span<const sculpt_query> queries,
                                  std::deque<Answer>& answers);

 private:
  struct alignas(cache_line) WorkerBatch {
    std::vector<sculpt_query> queries;
    std::size_t next = 0;         // of take()
    std::size_t block_begin = 0;  // the queries [block_begin, block_end) have been asked
    std::size_t block_end = 0;
    std::deque<Answer> answers;           // [block_end - block_begin] or more
    std::optional<QueryFailure> failure;  // of the block
    std::int64_t most_labels = 0;         // of any output or truth so far; 0: none is known
  };

  void ask_block(int worker, WorkerBatch& batch, const OnBlock& on_block);

  const Component& oracle_;
  Sessions& sessions_;
  const sculpt_ext_batch_argmax& table_;
  std::vector<WorkerBatch> batches_;  // [threads]
};

}  // namespace sculpt::core
