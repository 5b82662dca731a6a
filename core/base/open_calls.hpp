// open_calls.hpp - which function of which component a thread is inside of.
//
// Set around every call into a plugin, read by the crash report and by who kills the process. Calls
// from plugin to plugin are those of the first one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/signal_message.hpp"

namespace sculpt::core {

// Its texts are never freed: a report may come long after the call.
struct CurrentCall {
  const char* component = nullptr;  // its short name; nullptr: the host itself is at work
  const char* function = nullptr;   // "argmax", "frontier.slice"
  std::int64_t example = -1;        // < 0: about none
};

inline thread_local CurrentCall current_call;
inline thread_local CurrentCall last_call;  // that ended; what breaks in the host may stem from it

// The same where other threads can see it.
struct alignas(64) OpenCall {
  std::atomic<const char*> component = nullptr;
  std::atomic<const char*> function = nullptr;
  std::atomic<std::int64_t> example = -1;
};

// The calls of all threads, for a signal handler that wants to tell what the process waits for.
// More threads than slots share them: then some calls are missing.
class OpenCalls {
 public:
  // Of this thread. A reader that sees a component sees a function too, if not always its own.
  static void post(const CurrentCall& call) {
    if (own < 0)
      own = used.fetch_add(1, std::memory_order_relaxed) % static_cast<int>(board.size());
    OpenCall& slot = board[static_cast<std::size_t>(own)];
    if (call.component != nullptr) {
      slot.function.store(call.function, std::memory_order_relaxed);
      slot.example.store(call.example, std::memory_order_relaxed);
    }
    slot.component.store(call.component, std::memory_order_release);
  }

  static const std::array<OpenCall, 64>& slots() { return board; }

 private:
  static inline std::array<OpenCall, 64> board;
  static inline std::atomic<std::uint32_t> used = 0;
  static inline thread_local int own = -1;
};

// Writes a line to stderr for each call under way, what does not let the process go on:
// "<before>viterbi: example 17: was still inside of argmax". [signal handler]
inline void print_open_calls(const char* before) {
  for (const OpenCall& slot : OpenCalls::slots()) {
    const char* const component = slot.component.load();
    if (component == nullptr) continue;
    SignalMessage message;
    message.add(before);
    message.add_place(component, slot.example.load());
    message.add("was still inside of ");
    message.add(slot.function.load());
    message.add("\n");
    message.write(STDERR_FILENO);
  }
}

// For the time of one call.
class CallScope {
 public:
  explicit CallScope(const CurrentCall& call) : before_(current_call) {
    current_call = call;
    OpenCalls::post(call);
  }
  ~CallScope() {
    last_call = current_call;
    current_call = before_;
    OpenCalls::post(before_);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  CurrentCall before_;
};

}  // namespace sculpt::core
