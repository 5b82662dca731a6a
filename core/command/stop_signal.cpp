#include "command/stop_signal.hpp"

#include <atomic>
#include <csignal>

namespace sculpt::core {
namespace {

std::atomic<bool> requested{false};
std::atomic<int> first_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "used in a signal handler");

// SIGINT and SIGTERM alike.
void set_handler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void on_signal(int number) {
  first_signal.store(number, std::memory_order_relaxed);
  requested.store(true, std::memory_order_relaxed);
  set_handler(SIG_DFL);
}

}  // namespace

void catch_stop_signals() {
  set_handler(on_signal);
}

int stop_signal() {
  return first_signal.load(std::memory_order_relaxed);
}

void stop_done() {
  requested.store(false, std::memory_order_relaxed);
}

bool stop_requested() {
  return requested.load(std::memory_order_relaxed);
}

}  // namespace sculpt::core
