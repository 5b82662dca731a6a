// process_memory.hpp - how much memory this process has.
//
// Called by train, to say what a run will need and what it needed.
#pragma once

#include <cstdint>

namespace sculpt::core {

// Bytes; 0 where /proc does not tell.
struct ProcessMemory {
  std::int64_t resident = 0;  // now
  std::int64_t peak = 0;      // at most so far
};
ProcessMemory process_memory();

}  // namespace sculpt::core
