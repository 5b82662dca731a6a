// call_overlaps.hpp - makes two threads be inside plugin calls at the same time, and counts how
// often.
//
// Data that two threads share by mistake cause errors only if one thread is inside a call while the
// other works. On two free processors this happens all the time. On a busy one it happens only at
// the end of a time slice, about a hundred times a second. So a third thread interrupts the two in
// turn: a signal makes one sleep for a moment, inside its call. Used by session_tests.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

namespace sculpt::core {

class CallOverlaps {
 public:
  CallOverlaps();
  ~CallOverlaps();  // requires that both threads have left
  CallOverlaps(const CallOverlaps&) = delete;
  CallOverlaps& operator=(const CallOverlaps&) = delete;

  // Called by the thread `own`, 0 or 1. Returns when both threads have called it. [worker]
  void join(std::size_t own);
  // Ends the interruptions of the caller. The other thread gets no more overlaps. [worker]
  void leave(std::size_t own);

  // Runs the work of the thread `own`. It is an overlap if the other thread finished some work
  // meanwhile.
  template <class Work>
  void run_overlapping(std::size_t own, Work&& work) {
    const std::atomic<std::int64_t>& others = threads_[1 - own].done;
    const std::int64_t before = others.load(std::memory_order_relaxed);
    work();
    Thread& thread = threads_[own];
    thread.done.fetch_add(1, std::memory_order_relaxed);
    if (others.load(std::memory_order_relaxed) != before) {
      thread.met.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Returns the overlaps of the thread that has fewer. [any]
  std::int64_t count() const;
  // True if one of the two has left. [any]
  bool over() const { return over_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Thread {  // on its own cache line, so that counting is cheap
    std::atomic<std::int64_t> done{0};
    std::atomic<std::int64_t> met{0};
    pthread_t id = {};   // guarded by mutex_
    bool there = false;  // guarded by mutex_
  };

  void interrupt_in_turn();

  std::array<Thread, 2> threads_;
  std::mutex mutex_;
  std::atomic<int> missing_{2};
  std::atomic<bool> over_{false};
  std::thread interrupting_;
};

}  // namespace sculpt::core
