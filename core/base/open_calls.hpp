// open_calls.hpp - which function of which component a thread is executing.
//
// Set around every call into a plugin (Component, Library, the services of the host). Read by
// launch/crash_report.cpp after a crash, and by launch/stop_signal.cpp and check/system before the
// process is killed.
// Calls from plugin to plugin count as calls of the first one.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/signal_message.hpp"

namespace sculpt::core {

// Its texts are never freed: a report may come long after the call.
struct CurrentCall {
  const char* component = nullptr;  // the short name; nullptr: the host itself is running
  const char* function = nullptr;   // for example "argmax", "frontier.slice"
  std::int64_t example = -1;        // < 0: no example
};

inline thread_local CurrentCall current_call;
inline thread_local CurrentCall last_call;  // finished last; it may cause a later fault

// The same, visible to other threads.
struct alignas(64) OpenCall {
  std::atomic<const char*> component = nullptr;
  std::atomic<const char*> function = nullptr;
  std::atomic<std::int64_t> example = -1;
  std::atomic<std::int64_t> begin = 0;  // of the outermost call, see OpenCalls::keep_times()
};

// The calls of all threads, for a signal handler that reports what the process waits for. If there
// are more threads than slots, they share slots, and some calls are missing.
class OpenCalls {
 public:
  // Makes the call of this thread visible to others. A reader that sees a component also sees a
  // function, but perhaps that of another call. `is_outermost`: it begins no call inside of
  // another.
  static void publish(const CurrentCall& call, bool is_outermost) {
    if (own_slot < 0) {
      own_slot =
          next_slot.fetch_add(1, std::memory_order_relaxed) % static_cast<int>(all_slots.size());
    }
    OpenCall& slot = all_slots[static_cast<std::size_t>(own_slot)];
    if (call.component != nullptr) {
      slot.function.store(call.function, std::memory_order_relaxed);
      slot.example.store(call.example, std::memory_order_relaxed);
      if (is_outermost && has_times.load(std::memory_order_relaxed)) {
        slot.begin.store(nanoseconds(), std::memory_order_relaxed);
      }
    }
    slot.component.store(call.component, std::memory_order_release);
  }

  static const std::array<OpenCall, 64>& slots() { return all_slots; }

  // From now on the begin of each outermost call is kept. Before, this would only cost time.
  static void keep_times() { has_times = true; }
  // Returns the seconds that this call is open, with the calls that it was made from. Requires
  // keep_times() before the call. [signal handler]
  static double seconds_of(const OpenCall& call) {
    return 1e-9 * static_cast<double>(nanoseconds() - call.begin.load());
  }

 private:
  static std::int64_t nanoseconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  }

  static inline std::array<OpenCall, 64> all_slots;
  static inline std::atomic<bool> has_times = false;
  static inline std::atomic<std::uint32_t> next_slot = 0;  // for the next thread, modulo the slots
  static inline thread_local int own_slot = -1;
};

// Writes a line to stderr for each open call, because they keep the process from going on:
// "<prefix>viterbi: example 17: was still inside of argmax". [signal handler]
inline void print_open_calls(const char* prefix) {
  for (const OpenCall& slot : OpenCalls::slots()) {
    const char* const component = slot.component.load();
    if (component == nullptr) continue;
    SignalMessage message;
    message.add(prefix);
    message.add_location(component, slot.example.load());
    message.add("was still inside of ");
    message.add(slot.function.load());
    message.add("\n");
    message.write(STDERR_FILENO);
  }
}

// Sets the call of this thread for the lifetime of the object.
class CallScope {
 public:
  explicit CallScope(const CurrentCall& call) : previous_(current_call) {
    current_call = call;
    OpenCalls::publish(call, previous_.component == nullptr);
  }
  ~CallScope() {
    last_call = current_call;
    current_call = previous_;
    OpenCalls::publish(previous_, /*is_outermost=*/false);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  CurrentCall previous_;
};

}  // namespace sculpt::core
