#include "command/stop_signal.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace sculpt::core {
namespace {

std::atomic<bool> requested{false};
std::atomic<bool> checkpoint_requested{false};
std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_time{0};  // milliseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
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

std::int64_t now_in_milliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);  // safe in a handler
  return std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1'000'000;
}

void say(const char* text) {
  // Nothing can be done about a stderr that takes no text.
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

// The same signal that follows sooner is the same request: timeout(1) signals its child, then the
// whole group.
constexpr std::int64_t one_request = 500;  // milliseconds

// Two may come at once, on two threads: the time stands before the signal can be seen.
void on_signal(int number) {
  const std::int64_t now = now_in_milliseconds();
  std::int64_t no_time = 0;
  first_time.compare_exchange_strong(no_time, now);
  int none = 0;
  if (first_signal.compare_exchange_strong(none, number)) {
    requested.store(true);
    say("\nsculpt: stopping after the calls under way; again to kill\n");
    return;
  }
  const bool repeated = number == first_signal.load();
  if (repeated && now - first_time.load() < one_request) return;
  set_handler(SIG_DFL);
  raise(number);
}

}  // namespace

void catch_checkpoint_signal() {
  struct sigaction action = {};
  action.sa_handler = [](int) { checkpoint_requested.store(true); };
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
}

bool take_checkpoint_request() {
  return checkpoint_requested.exchange(false);
}

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
