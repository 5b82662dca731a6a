#include "problem/oracle/batch_answers.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/cancelled.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// The limit for the labels of one block, so that large outputs do not fill the memory: 16 MB.
constexpr std::int64_t max_block_labels = std::int64_t{1} << 22;
// The size of a block while the size of the outputs is not known.
constexpr std::int64_t first_block = 8;

std::int64_t block_size(std::int64_t most_labels) {
  if (most_labels == 0) return first_block;
  return std::clamp<std::int64_t>(max_block_labels / most_labels, 1, BatchAnswers::max_block);
}

// A dataset may lend the same truth at several addresses.
bool is_same_truth(sculpt_labels a, sculpt_labels b) {
  if (a.data == b.data || a.data == nullptr || b.data == nullptr) {
    return a.data == b.data && a.size == b.size;
  }
  return std::equal(a.data, a.data + a.size, b.data, b.data + b.size);
}

// The weights of an announced query may no longer exist. Their stamp says whether they are the
// same.
bool is_same_query(const sculpt_query& a, const sculpt_query& b) {
  return a.weights.stamp == b.weights.stamp && a.example == b.example && a.seed == b.seed &&
         a.loss_weight == b.loss_weight && is_same_truth(a.truth, b.truth);
}

}  // namespace

BatchAnswers::BatchAnswers(const Component& oracle, Sessions& sessions, int threads)
    : oracle_(oracle),
      sessions_(sessions),
      table_(*oracle.extension<sculpt_ext_batch_argmax>()),
      batches_(static_cast<std::size_t>(threads)) {}

void BatchAnswers::announce(int worker, std::span<const sculpt_query> queries) {
  WorkerBatch& batch = batches_[static_cast<std::size_t>(worker)];
  batch.queries.clear();
  batch.next = batch.block_begin = batch.block_end = 0;
  batch.failure.reset();
  if (queries.size() < 2) return;
  batch.queries.assign(queries.begin(), queries.end());
  for (const sculpt_query& query : queries) {
    batch.most_labels = std::max(batch.most_labels, query.truth.size);
  }
}

bool BatchAnswers::take(int worker, const sculpt_query& query, const OnBlock& on_block,
                        Answer& answer) {
  WorkerBatch& batch = batches_[static_cast<std::size_t>(worker)];
  if (batch.next == batch.queries.size()) return false;
  if (!is_same_query(batch.queries[batch.next], query)) return false;
  if (batch.next == batch.block_end) ask_block(worker, batch, on_block);
  const std::size_t in_block = batch.next++ - batch.block_begin;
  if (!batch.failure) {
    answer.swap(batch.answers[in_block]);
    answer.info.is_of_batch = true;
    return true;
  }
  // The queries before the one that failed are asked alone: their own errors come first.
  if (batch.failure->query == in_block) throw Failure(batch.failure->failure);
  return false;
}

void BatchAnswers::ask_block(int worker, WorkerBatch& batch, const OnBlock& on_block) {
  batch.block_begin = batch.next;
  batch.block_end = std::min(batch.queries.size(),
                             batch.next + static_cast<std::size_t>(block_size(batch.most_labels)));
  const std::size_t size = batch.block_end - batch.block_begin;
  const std::span block = std::span(batch.queries).subspan(batch.block_begin, size);
  batch.failure = ask(worker, block, batch.answers);
  for (std::size_t k = 0; k < size && !batch.failure; ++k) {
    batch.most_labels =
        std::max({batch.most_labels, batch.answers[k].labels().size, std::int64_t{1}});
  }
  if (!batch.failure) on_block(block, batch.answers);
}

std::optional<BatchAnswers::QueryFailure> BatchAnswers::ask(int worker,
                                                            std::span<const sculpt_query> queries,
                                                            std::deque<Answer>& answers) {
  std::vector<LentQuery> lent;
  std::deque<FilledLabels> labels;
  std::vector<const sculpt_query*> raw_queries;
  std::vector<sculpt_answer*> raw_answers;
  lent.reserve(queries.size());
  while (answers.size() < queries.size()) answers.emplace_back();
  for (std::size_t k = 0; k < queries.size(); ++k) {
    raw_queries.push_back(lent.emplace_back(oracle_, queries[k]).raw());
    answers[k].clear();
    raw_answers.push_back(answers[k].raw());
    raw_answers[k]->value = std::numeric_limits<double>::quiet_NaN();  // refused if it stays
    labels.emplace_back(oracle_, raw_answers[k]->labels);
  }
  const auto count = static_cast<std::int64_t>(queries.size());
  std::int64_t failed = -1;
  ErrorBuffer error;
  void* const session = sessions_.for_worker(worker);
  const sculpt_status status = oracle_.run_in_call_scope("batch_argmax", -1, [&] {
    return table_.argmax(session, count, raw_queries.data(), raw_answers.data(), &failed,
                         error.raw());
  });
  if (status == SCULPT_OK) {
    for (FilledLabels& filled : labels) filled.take();
    for (const LentQuery& query : lent) query.require_unchanged();
    return std::nullopt;
  }
  if (failed < -1 || failed >= count) {
    oracle_.refuse(Exit::plugin, -1,
                   "says that query " + std::to_string(failed) + " of a batch of " +
                       std::to_string(count) + " failed; count them from 0, or leave -1");
  }
  if (failed == -1) oracle_.fail(status, error.text(), -1);
  const auto query = static_cast<std::size_t>(failed);
  try {
    oracle_.fail(status, error.text(), queries[query].example);
  } catch (const Cancelled&) {
    throw;  // solvers keep their model then
  } catch (const Failure& failure) {
    return QueryFailure{query, failure};
  }
}

}  // namespace sculpt::core
