// current_activity.hpp - what the process is at, for failures that may come from anywhere.
//
// Set by Problem and the commands, read where memory has run out. Main thread.
#pragma once

#include <cstdint>
#include <string>

namespace sculpt::core {

struct CurrentActivity {
  const char* text = nullptr;     // "reading the data"; nullptr: nothing worth telling
  std::int64_t pass = 0;          // > 0: in this pass of the training, in place of the text
  std::string to_need_less = {};  // in a pass: "fewer weights, or ...", what would take less memory
};

inline CurrentActivity current_activity;

// "reading the data", "pass 3", or "".
inline std::string activity_text() {
  if (current_activity.pass > 0) return "pass " + std::to_string(current_activity.pass);
  return current_activity.text == nullptr ? "" : current_activity.text;
}

}  // namespace sculpt::core
