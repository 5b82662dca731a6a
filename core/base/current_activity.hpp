// current_activity.hpp - what the process is doing, for the message about a lack of memory.
//
// Set by Problem and the commands, read by base/memory/out_of_memory.cpp, on the thread
// that called the host.
#pragma once

#include <cstdint>
#include <string>

namespace sculpt::core {

struct CurrentActivity {
  const char* text = nullptr;      // For example "reading the data"; nullptr: unknown.
  std::int64_t pass = 0;           // If > 0: the pass of the training, used instead of the text.
  std::string memory_advice = {};  // In a pass: what takes less memory.
};

inline thread_local CurrentActivity current_activity;

// "reading the data", "pass 3", or "".
inline std::string activity_text() {
  if (current_activity.pass > 0) return "pass " + std::to_string(current_activity.pass);
  return current_activity.text == nullptr ? "" : current_activity.text;
}

}  // namespace sculpt::core
