#include "command/stop_signal.hpp"

#include <atomic>
#include <csignal>

namespace sculpt::core {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

}  // namespace

void catch_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { requested.store(true, std::memory_order_relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void stop_done() {
  requested.store(false, std::memory_order_relaxed);
}

bool stop_requested() {
  return requested.load(std::memory_order_relaxed);
}

}  // namespace sculpt::core
