// current_call.hpp - which function of which component this thread is inside of.
//
// Set around every call into a plugin, read by the crash report. Calls from plugin to plugin are
// those of the first one.
#pragma once

#include <cstdint>

namespace sculpt::core {

struct CurrentCall {
  const char* component = nullptr;  // its short name; nullptr: the host itself is at work
  const char* function = nullptr;   // "argmax", "frontier.slice"
  std::int64_t example = -1;        // < 0: about none
};

inline thread_local CurrentCall current_call;
inline thread_local CurrentCall last_call;  // that ended; what breaks in the host may stem from it

// For the time of one call. What the texts point to outlives it.
class CallMark {
 public:
  explicit CallMark(const CurrentCall& call) : before_(current_call) { current_call = call; }
  ~CallMark() {
    last_call = current_call;
    current_call = before_;
  }
  CallMark(const CallMark&) = delete;
  CallMark& operator=(const CallMark&) = delete;

 private:
  CurrentCall before_;
};

}  // namespace sculpt::core
