#include "parallel/workers.hpp"

#include <string>
#include <system_error>

#include "base/failure.hpp"
#include "parallel/alternate_stack.hpp"

namespace sculpt::core {

namespace {

// The number of tasks, of any pool, that this thread is inside of.
thread_local int depth = 0;

struct Inside {
  Inside() { ++depth; }
  ~Inside() { --depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

}  // namespace

// Tasks begin in the order of their numbers. So if one fails, all smaller ones have begun, and the
// smallest failure does not depend on timing.
struct Workers::Batch {
  const Task& task;
  const std::int64_t count;
  std::int64_t next = 0;     // the first task that has not begun
  std::int64_t running = 0;  // begun, not ended
  std::int64_t failed = -1;  // smallest task that threw
  std::exception_ptr failure = nullptr;

  bool open() const { return next < count && failed < 0; }
  bool ended() const { return running == 0 && !open(); }
};

Workers::Workers(int threads) {
  if (threads < 1) throw Failure(Exit::internal, "a pool of less than one thread");
  try {
    for (int worker = 1; worker < threads; ++worker) {
      pool_.emplace_back([this, worker] { serve(worker); });
    }
  } catch (const std::system_error& problem) {
    close();
    throw Failure(Exit::memory,
                  "thread " + std::to_string(pool_.size() + 2) + " of " + std::to_string(threads) +
                      " cannot be started: " + problem.code().message(),
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
  }
  changed_.notify_all();
  for (std::thread& thread : pool_) thread.join();
}

void Workers::run(std::int64_t task_count, const Task& task) {
  if (depth > 0) throw Failure(Exit::internal, "Workers::run called from inside a task");
  const std::lock_guard<std::mutex> turn(entrance_);
  if (task_count == 1) {  // no thread needs to wake up
    const Inside inside;
    return task(0, 0);
  }
  Batch batch{task, task_count};
  finish(batch, true);
}

void Workers::share(std::int64_t task_count, const Share& task) {
  const Task without_worker = [&task](std::int64_t number, int) { task(number); };
  Batch batch{without_worker, task_count};
  finish(batch, false);
}

void Workers::run_blocks(std::int64_t item_count, std::int64_t block_size, const Block& block) {
  run((item_count + block_size - 1) / block_size, [&](std::int64_t number, int worker) {
    const std::int64_t begin = number * block_size;
    block(begin, std::min(item_count, begin + block_size), worker);
  });
}

// Works on the batch until its last task has begun, then waits until all have ended.
void Workers::finish(Batch& batch, bool helps) {
  std::unique_lock<std::mutex> lock(mutex_);
  batches_.push_back(&batch);
  changed_.notify_all();
  while (batch.open()) run_next(batch, 0, lock);
  while (!batch.ended()) {
    Batch* const other = helps ? open_batch() : nullptr;
    if (other != nullptr) {
      run_next(*other, 0, lock);
    } else {
      changed_.wait(lock);
    }
  }
  batches_.erase(std::find(batches_.begin(), batches_.end(), &batch));
  lock.unlock();
  if (batch.failure) std::rethrow_exception(batch.failure);
}

// Runs the next task of an open batch. The lock is held before and after, but not during the task.
void Workers::run_next(Batch& batch, int worker, std::unique_lock<std::mutex>& lock) {
  const std::int64_t number = batch.next++;
  ++batch.running;
  lock.unlock();
  std::exception_ptr failure = nullptr;
  try {
    const Inside inside;
    batch.task(number, worker);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure && (batch.failed < 0 || number < batch.failed)) {
    batch.failed = number;
    batch.failure = failure;
  }
  --batch.running;
  if (batch.ended()) changed_.notify_all();
}

// The newest open batch comes first, because a thread inside a task waits for it.
Workers::Batch* Workers::open_batch() {
  const auto found = std::find_if(batches_.rbegin(), batches_.rend(),
                                  [](const Batch* batch) { return batch->open(); });
  return found == batches_.rend() ? nullptr : *found;
}

void Workers::serve(int worker) {
  const AlternateStack for_signals;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!closing_) {
    Batch* const batch = open_batch();
    if (batch != nullptr) {
      run_next(*batch, worker, lock);
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace sculpt::core
