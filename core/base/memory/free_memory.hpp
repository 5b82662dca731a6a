// free_memory.hpp - how much memory is free. Linux only.
//
// Called by CellRunner before it starts another cell, by train before its first pass, and for the
// message of out_of_memory.cpp.
#pragma once

#include <cstdint>

namespace sculpt::core {

// Bytes that further processes may use. The minimum of what the kernel reports as available and
// what is left in the control groups of this process.
std::int64_t free_memory_for_new_processes();

// The address space of this process, in bytes: its limit (ulimit -v), and what it uses.
struct AddressSpace {
  std::int64_t limit = 0;  // the largest integer: unlimited
  std::int64_t used = 0;
};
AddressSpace address_space();

// Bytes that this process itself may still use. The minimum of three: available memory plus free
// swap, what is left in its control groups, and what is left of its address space.
std::int64_t free_memory_for_this_process();

}  // namespace sculpt::core
