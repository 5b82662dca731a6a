#include "check/system/call_overlaps.hpp"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace sculpt::core {
namespace {

constexpr std::chrono::microseconds between_interruptions{250};
constexpr timespec moment{0, 50'000};  // 50 microseconds

// A signal that nothing else in the process uses.
int interruption() {
  return SIGRTMAX - 1;
}

void sleep_for_a_moment(int) {
  const int before = errno;
  nanosleep(&moment, nullptr);
  errno = before;
}

}  // namespace

CallOverlaps::CallOverlaps() {
  struct sigaction action = {};
  action.sa_handler = sleep_for_a_moment;
  action.sa_flags = SA_RESTART;
  sigaction(interruption(), &action, nullptr);
  interrupting_ = std::thread([this] { interrupt_in_turn(); });
}

CallOverlaps::~CallOverlaps() {
  over_ = true;
  interrupting_.join();
}

void CallOverlaps::join(std::size_t own) {
  {
    const std::lock_guard lock(mutex_);
    threads_[own].id = pthread_self();
    threads_[own].there = true;
  }
  missing_.fetch_sub(1);
  while (missing_.load() > 0) std::this_thread::yield();  // both begin at the same time
}

void CallOverlaps::leave(std::size_t own) {
  const std::lock_guard lock(mutex_);
  threads_[own].there = false;
  over_ = true;
}

std::int64_t CallOverlaps::count() const {
  return std::min(threads_[0].met.load(std::memory_order_relaxed),
                  threads_[1].met.load(std::memory_order_relaxed));
}

void CallOverlaps::interrupt_in_turn() {
  for (std::size_t turn = 0; !over(); turn = 1 - turn) {
    std::this_thread::sleep_for(between_interruptions);
    const std::lock_guard lock(mutex_);
    const Thread& thread = threads_[turn];
    if (thread.there && missing_.load() == 0) pthread_kill(thread.id, interruption());
  }
}

}  // namespace sculpt::core
