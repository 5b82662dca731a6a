// call_overlaps.hpp - makes two threads meet in the middle of calls, and counts how often they did.
//
// What two threads share by mistake shows while one is inside of a call and the other one works.
// On two free processors that is so all the time. On a busy one it is so only when the time slice
// of a thread ends, about a hundred times a second. So a third thread interrupts the two in turn:
// a signal makes the one sleep for a moment, inside of whatever it calls. Used by session_tests.
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
  ~CallOverlaps();  // both threads have left
  CallOverlaps(const CallOverlaps&) = delete;
  CallOverlaps& operator=(const CallOverlaps&) = delete;

  // Called by the thread `own`, 0 or 1. Returns when both are there. [worker]
  void join(std::size_t own);
  // The caller is interrupted no more; the other one gets no more overlaps. [worker]
  void leave(std::size_t own);

  // Does the work of the thread `own`. Work in which the other one finished some is a meeting.
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

  // The overlaps of the thread that has fewer. [any]
  std::int64_t count() const;
  // Whether one of the two has left. [any]
  bool over() const { return over_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Thread {  // a cache line each, so that counting is cheap
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
