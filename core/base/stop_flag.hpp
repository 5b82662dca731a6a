// stop_flag.hpp - the request to stop long work, or to write a checkpoint.
//
// Set by a signal handler (launch/stop_signal.cpp) or by a caller of libsculpt, on any thread. Read
// through surroundings.hpp.
#pragma once

#include <atomic>

namespace sculpt::core {

class StopFlag {
 public:
  void request_stop() { stop_.store(true); }
  bool stop_is_requested() const { return stop_.load(std::memory_order_relaxed); }
  // The remaining work, such as the evaluation, continues.
  void clear() { stop_.store(false, std::memory_order_relaxed); }

  void request_checkpoint() { checkpoint_.store(true); }
  // True if a checkpoint was requested since the last call.
  bool consume_checkpoint_request() { return checkpoint_.exchange(false); }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<bool> checkpoint_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");
};

}  // namespace sculpt::core
