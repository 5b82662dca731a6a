// process_memory.hpp - how much memory a process has.
//
// Called by train, to say what a run will need and what it needed, and by sweep, of its cells.
#pragma once

#include <cstdint>
#include <string>

namespace sculpt::core {

// Bytes; 0 where /proc does not tell.
struct ProcessMemory {
  std::int64_t resident = 0;  // now
  std::int64_t peak = 0;      // at most so far
};
// By its number; this one.
ProcessMemory process_memory(const std::string& process = "self");

// "104 MB"
std::string memory_text(std::int64_t bytes);

}  // namespace sculpt::core
