// free_memory.hpp - how much memory there is to take. Linux.
//
// Asked by CellRunner before it starts another cell, and by train before its first pass.
#pragma once

#include <cstdint>

namespace sculpt::core {

// Bytes that further processes may take: what the kernel says is available, or what the control
// groups of this process leave of their limits, whichever is less.
std::int64_t free_memory_for_new_processes();

// The address space that this process is allowed (ulimit -v), in bytes, and what it has taken of
// it.
struct AddressSpace {
  std::int64_t limit = 0;  // the largest number there is: unlimited
  std::int64_t taken = 0;
};
AddressSpace address_space();

// Bytes that this process itself may still take, the least of three: available memory and free
// swap; what its control groups leave; what is left of its address space.
std::int64_t free_memory_for_this_process();

}  // namespace sculpt::core
