#include "check/system/call_overlaps.hpp"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace sculpt::core {
namespace {

constexpr std::chrono::microseconds interruption_interval{250};
constexpr timespec interruption_length{0, 50'000};  // 50 microseconds

// A signal that nothing else in the process uses.
int interruption_signal() {
  return SIGRTMAX - 1;
}

void sleep_in_handler(int) {
  const int saved_errno = errno;
  nanosleep(&interruption_length, nullptr);
  errno = saved_errno;
}

}  // namespace

CallOverlaps::CallOverlaps() {
  struct sigaction action = {};
  action.sa_handler = sleep_in_handler;
  action.sa_flags = SA_RESTART;
  sigaction(interruption_signal(), &action, nullptr);
  interrupter_ = std::thread([this] { interrupt_in_turn(); });
}

CallOverlaps::~CallOverlaps() {
  is_over_ = true;
  interrupter_.join();
}

void CallOverlaps::enter(std::size_t own_index) {
  {
    const std::lock_guard lock(mutex_);
    threads_[own_index].id = pthread_self();
    threads_[own_index].is_inside = true;
  }
  threads_not_entered_.fetch_sub(1);
  while (threads_not_entered_.load() > 0) std::this_thread::yield();  // both begin at the same time
}

void CallOverlaps::leave(std::size_t own_index) {
  const std::lock_guard lock(mutex_);
  threads_[own_index].is_inside = false;
  is_over_ = true;
}

std::int64_t CallOverlaps::count() const {
  return std::min(threads_[0].overlaps.load(std::memory_order_relaxed),
                  threads_[1].overlaps.load(std::memory_order_relaxed));
}

void CallOverlaps::interrupt_in_turn() {
  for (std::size_t index = 0; !is_over(); index = 1 - index) {
    std::this_thread::sleep_for(interruption_interval);
    const std::lock_guard lock(mutex_);
    const Thread& thread = threads_[index];
    if (thread.is_inside && threads_not_entered_.load() == 0)
      pthread_kill(thread.id, interruption_signal());
  }
}

}  // namespace sculpt::core
