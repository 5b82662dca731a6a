#include "parallel/workers.hpp"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "base/failure.hpp"
#include "parallel/alternate_stack.hpp"
#include "parallel/outside_tasks.hpp"

namespace sculpt::core {

namespace {

// The number of tasks, of any pool, that this thread is inside of.
thread_local int task_depth = 0;

struct InsideTask {
  InsideTask() { ++task_depth; }
  ~InsideTask() { --task_depth; }
  InsideTask(const InsideTask&) = delete;
  InsideTask& operator=(const InsideTask&) = delete;
};

// About as long as it takes to wake a thread.
constexpr std::chrono::microseconds time_to_look{50};

// Leaves the core to its other thread, if it has two.
void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

OutsideTasks::OutsideTasks() : depth_(std::exchange(task_depth, 0)) {}

OutsideTasks::~OutsideTasks() {
  task_depth = depth_;
}

// Tasks begin in the order of their numbers. So if one fails, all smaller ones have begun, and the
// smallest failure does not depend on timing.
struct Workers::Batch {
  Batch(const Task& the_task, std::int64_t task_count) : task(the_task), count(task_count) {}

  const Task& task;
  const std::int64_t count;
  std::atomic<std::int64_t> next = 0;  // the first task that no thread has taken
  std::atomic<bool> has_failed = false;
  // The rest is guarded by the mutex of the pool.
  int threads = 0;                // that run tasks
  std::int64_t failed_task = -1;  // smallest task that threw
  std::exception_ptr failure = nullptr;

  bool is_open() const { return next < count && !has_failed; }
  bool has_ended() const { return threads == 0 && !is_open(); }
};

Workers::Workers(int threads)
    : has_own_cores_(threads <= static_cast<int>(std::thread::hardware_concurrency())) {
  if (threads < 1) throw Failure(Exit::internal, "a pool of fewer than one thread");
  try {
    for (int worker = 1; worker < threads; ++worker) {
      pool_.emplace_back([this, worker] { run_until_closed(worker); });
    }
  } catch (const std::system_error& error) {
    close();
    throw Failure(Exit::memory,
                  "thread " + std::to_string(pool_.size() + 2) + " of " + std::to_string(threads) +
                      " cannot be started: " + error.code().message(),
                  "\n  try fewer --threads, or raise ulimit -u and -v");
  } catch (...) {
    close();
    throw;
  }
}

Workers::~Workers() {
  close();
}

void Workers::close() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
    ++changes_;
  }
  changed_.notify_all();
  for (std::thread& thread : pool_) thread.join();
}

void Workers::run(std::int64_t task_count, const Task& task) {
  if (task_depth > 0) throw Failure(Exit::internal, "Workers::run called from inside a task");
  if (task_count == 0) return;  // wakes nobody
  const std::lock_guard<std::mutex> turn(run_mutex_);
  if (task_count == 1) {  // no thread needs to wake up
    const InsideTask inside;
    return task(0, 0);
  }
  Batch batch{task, task_count};
  run_batch(batch, true);
}

void Workers::run_nested(std::int64_t task_count, const NestedTask& task) {
  const Task without_worker = [&task](std::int64_t number, int) { task(number); };
  Batch batch{without_worker, task_count};
  run_batch(batch, false);
}

void Workers::run_ranges(std::int64_t item_count, std::int64_t range_size, const RangeTask& task) {
  run((item_count + range_size - 1) / range_size, [&](std::int64_t number, int worker) {
    const std::int64_t begin = number * range_size;
    task(begin, std::min(item_count, begin + range_size), worker);
  });
}

// Works on the batch until its last task has begun, then waits until all have ended. If it helps
// others, it meanwhile works on their batches.
void Workers::run_batch(Batch& batch, bool helps_others) {
  std::unique_lock<std::mutex> lock(mutex_);
  batches_.push_back(&batch);
  ++added_;
  tell_change();
  while (batch.is_open()) run_tasks(batch, 0, lock);
  while (!batch.has_ended()) {
    Batch* const other = helps_others ? open_batch() : nullptr;
    if (other != nullptr) {
      run_tasks(*other, 0, lock);
    } else {
      wait_for_change(lock);
    }
  }
  batches_.erase(std::find(batches_.begin(), batches_.end(), &batch));
  lock.unlock();
  if (batch.failure) std::rethrow_exception(batch.failure);
}

// Runs tasks of a batch until none is left, or another batch was added. The lock is held before and
// after, but not meanwhile.
void Workers::run_tasks(Batch& batch, int worker, std::unique_lock<std::mutex>& lock) {
  ++batch.threads;
  const std::uint64_t added = added_;
  lock.unlock();
  while (!batch.has_failed && added_ == added) {
    const std::int64_t number = batch.next++;
    if (number >= batch.count) break;
    try {
      const InsideTask inside;
      batch.task(number, worker);
    } catch (...) {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (batch.failed_task < 0 || number < batch.failed_task) {
        batch.failed_task = number;
        batch.failure = std::current_exception();
      }
      batch.has_failed = true;
    }
  }
  lock.lock();
  --batch.threads;
  if (batch.has_ended()) tell_change();
}

// Requires the lock.
void Workers::tell_change() {
  ++changes_;
  changed_.notify_all();
}

// The lock is held before and after. The next batch often comes within microseconds, and it takes
// longer to wake a thread. So a thread looks for a while before it sleeps.
void Workers::wait_for_change(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t seen = changes_;
  if (has_own_cores_) {
    lock.unlock();
    const auto end = std::chrono::steady_clock::now() + time_to_look;
    while (changes_ == seen && std::chrono::steady_clock::now() < end) pause_briefly();
    lock.lock();
  }
  changed_.wait(lock, [&] { return changes_ != seen; });
}

// The newest open batch comes first, because a thread inside a task waits for it.
Workers::Batch* Workers::open_batch() {
  const auto found = std::find_if(batches_.rbegin(), batches_.rend(),
                                  [](const Batch* batch) { return batch->is_open(); });
  return found == batches_.rend() ? nullptr : *found;
}

void Workers::run_until_closed(int worker) {
  const AlternateStack for_signals;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!closing_) {
    Batch* const batch = open_batch();
    if (batch != nullptr) {
      run_tasks(*batch, worker, lock);
    } else {
      wait_for_change(lock);
    }
  }
}

}  // namespace sculpt::core
