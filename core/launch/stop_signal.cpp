#include "launch/stop_signal.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "base/open_calls.hpp"
#include "base/signal_message.hpp"
#include "base/surroundings.hpp"

namespace sculpt::core {
namespace {

std::atomic<int> first_signal{0};
std::atomic<bool> is_on_terminal{false};  // stderr
std::atomic<bool> is_silent{false};
std::atomic<std::int64_t> first_time{0};  // milliseconds
static_assert(std::atomic<int>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "used in a signal handler");

constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP};

// True if the signal was ignored at the start. nohup(1) ignores SIGHUP, and a shell ignores Ctrl-C
// for background commands. The handler must not change that.
bool is_ignored(int number) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

void set_handler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : stop_signals) sigaddset(&action.sa_mask, number);
  for (const int number : stop_signals) {
    if (!is_ignored(number)) sigaction(number, &action, nullptr);
  }
}

std::int64_t now_in_milliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);  // async-signal-safe
  return std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1'000'000;
}

void print_to_stderr(const char* text) {
  SignalMessage message;
  message.add(text);
  message.write(STDERR_FILENO);
}

// Within this time a signal counts as the same request. timeout(1) sends the same signal to its
// child, then to the whole group. The end of a login sends SIGHUP and another signal.
constexpr std::int64_t same_request_time = 500;  // milliseconds

// The end of a terminal is never a request to kill.
bool is_same_request(int first, int number, std::int64_t milliseconds) {
  if (number == SIGHUP) return true;
  return milliseconds < same_request_time && (number == first || first == SIGHUP);
}

// Two signals may arrive at the same time on two threads. So the time is stored before the signal.
void handle_stop_signal(int number) {
  const std::int64_t now = now_in_milliseconds();
  std::int64_t no_time = 0;
  first_time.compare_exchange_strong(no_time, now);
  int none = 0;
  if (first_signal.compare_exchange_strong(none, number)) {
    stop_flag_of_process.request_stop();
    if (is_silent.load()) return;
    // Behind ^C or a live line on a terminal.
    if (is_on_terminal.load()) print_to_stderr("\n");
    print_to_stderr(
        "sculpt: stopping after the running calls; a second signal ends the process "
        "immediately\n");
    return;
  }
  if (is_same_request(first_signal.load(), number, now - first_time.load())) return;
  print_open_calls("sculpt: killed: ");
  set_handler(SIG_DFL);
  raise(number);
}

// Keeps errno: the interrupted thread may be about to read it.
void on_signal(int number) {
  const int saved_errno = errno;
  handle_stop_signal(number);
  errno = saved_errno;
}

}  // namespace

void catch_checkpoint_signal() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_flag_of_process.request_checkpoint(); };
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
}

void catch_stop_signals() {
  is_on_terminal.store(::isatty(STDERR_FILENO) == 1);
  set_handler(on_signal);
}

void silence_stop_signals() {
  is_silent.store(true);
}

void ignore_stop_signals() {
  set_handler(SIG_IGN);
}

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int stop_signal() {
  return first_signal.load(std::memory_order_relaxed);
}

}  // namespace sculpt::core
