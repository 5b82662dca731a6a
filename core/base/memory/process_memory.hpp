// process_memory.hpp - how much memory a process uses.
//
// Called by train, to print what a run will need and what it needed, by sweep about its cells, and
// for the message of out_of_memory.cpp.
#pragma once

#include <cstdint>
#include <string>

namespace sculpt::core {

// Bytes; 0 if /proc does not report them.
struct ProcessMemory {
  std::int64_t resident = 0;   // at the moment
  std::int64_t peak = 0;       // the maximum so far
  std::int64_t anonymous = 0;  // resident, without mapped files
};
// `process`: its number; by default this process.
ProcessMemory process_memory(const std::string& process = "self");

// For example "104 MB".
std::string memory_text(std::int64_t bytes);

}  // namespace sculpt::core
