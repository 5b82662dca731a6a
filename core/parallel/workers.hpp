// workers.hpp - a fixed pool of threads that runs numbered tasks.
//
// Called by qp/, objective/, solver/, problem/ (oracle calls) and command/ (predictions). Plugins
// call it through the host service SCULPT_HOST_PARALLEL. Results do not depend on the number of
// threads if sums are formed over ranges that follow from the size of the work only, and added in
// their order. A task may have several such ranges, and then depend on the number of threads.
//
//   run         tasks know their worker in [0, threads), so each worker can have its own session
//   run_nested  tasks know no worker: inside a task, or from any other thread
//
// The caller works on its own tasks, and idle threads help. A thread that waits inside a task only
// runs tasks of its own run_nested(), so a session is never entered twice. Waiting follows the
// nesting, so there is no deadlock.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sculpt::core {

class Workers {
 public:
  using Task = std::function<void(std::int64_t task, int worker)>;
  using NestedTask = std::function<void(std::int64_t task)>;
  using RangeTask = std::function<void(std::int64_t begin, std::int64_t end, int worker)>;

  // Requires threads >= 1. The calling thread counts: threads == 1 starts none.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(pool_.size()) + 1; }

  // Runs task(k, worker) for k in [0, task_count) and returns when all have ended. After an
  // exception no further task begins. The exception of the smallest failed task is rethrown,
  // independent of timing. Must not be called inside a task. Calls from several threads take turns.
  void run(std::int64_t task_count, const Task& task);

  // The same for tasks that need no worker. Any thread, also inside a task.
  void run_nested(std::int64_t task_count, const NestedTask& task);

  // The size of a range for this many oracle calls: 1 to 16, with at least 64 ranges if possible.
  // It depends on the number of calls only.
  static std::int64_t range_size(std::int64_t call_count) {
    return std::clamp<std::int64_t>(call_count / 64, 1, 16);
  }

  // run() over [0, item_count) cut into ranges of range_size items, the last one shorter.
  void run_ranges(std::int64_t item_count, std::int64_t range_size, const RangeTask& task);

 private:
  struct Batch;

  void run_batch(Batch& batch, bool helps_others);
  void run_tasks(Batch& batch, int worker, std::unique_lock<std::mutex>& lock);
  void tell_change();
  void wait_for_change(std::unique_lock<std::mutex>& lock);
  Batch* open_batch();
  void run_until_closed(int worker);
  void close();

  std::mutex mutex_;
  std::vector<Batch*> batches_;  // not ended yet; the newest last
  bool closing_ = false;
  // Changes: a batch was added, a batch ended, or the pool closes. Both numbers grow under the
  // mutex, and may be read without it.
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<std::uint64_t> added_ = 0;  // batches
  std::condition_variable changed_;
  const bool has_own_cores_;  // there is a core for each thread
  std::mutex run_mutex_;      // held during run(): only one worker 0 at a time
  std::vector<std::thread> pool_;
};

}  // namespace sculpt::core
