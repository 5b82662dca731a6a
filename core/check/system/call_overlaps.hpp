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

  // Called by the thread `own_index`, 0 or 1. Returns when both threads have called it. [worker]
  void enter(std::size_t own_index);
  // Ends the interruptions of the caller. The other thread gets no more overlaps. [worker]
  void leave(std::size_t own_index);

  // Runs the work of the thread `own_index`. It is an overlap if the other thread finished some
  // work meanwhile.
  template <class Work>
  void run_overlapping(std::size_t own_index, Work&& work) {
    const std::atomic<std::int64_t>& other_done = threads_[1 - own_index].done;
    const std::int64_t previous = other_done.load(std::memory_order_relaxed);
    work();
    Thread& thread = threads_[own_index];
    thread.done.fetch_add(1, std::memory_order_relaxed);
    if (other_done.load(std::memory_order_relaxed) != previous) {
      thread.overlaps.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Returns the overlaps of the thread that has fewer. [any]
  std::int64_t count() const;
  // True if one of the two has left. [any]
  bool is_over() const { return is_over_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Thread {  // on its own cache line, so that counting is cheap
    std::atomic<std::int64_t> done{0};
    std::atomic<std::int64_t> overlaps{0};
    pthread_t id = {};       // guarded by mutex_
    bool is_inside = false;  // guarded by mutex_
  };

  void interrupt_in_turn();

  std::array<Thread, 2> threads_;
  std::mutex mutex_;
  std::atomic<int> threads_not_entered_{2};
  std::atomic<bool> is_over_{false};
  std::thread interrupter_;
};

}  // namespace sculpt::core
