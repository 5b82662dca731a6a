// out_of_memory.hpp - the message when memory has run out.
//
//   sculpt: out of memory in pass 3; the process had 1234 MB at most, ulimit -v allows 1500 MB
//     to use less memory: ...
//
// Called by library/, by train, which adds advice about the checkpoint, and in the processes of
// check/system. Exit code 71.
#pragma once

#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// Returns a whole failure with advice. `what`: "out of memory", or the message of a component. The
// numbers are those of the process, the activity that of current_activity.hpp. `more_advice`:
// further lines.
Failure out_of_memory(const std::string& what, const std::string& more_advice = "");

// Adds numbers and advice to a failure with Exit::memory. Returns other failures unchanged, and
// also one that already has advice.
Failure with_memory_figures(const Failure& failure);

}  // namespace sculpt::core
