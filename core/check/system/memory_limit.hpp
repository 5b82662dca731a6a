// memory_limit.hpp - limits the memory that this process may still take.
//
// Called by tests of plugins in processes of their own.
#pragma once

#include <cstdint>

namespace sculpt::core {

// What a component may take for damaged bytes, beyond what the process has at the start.
inline constexpr std::uint64_t memory_for_damaged_bytes = std::uint64_t{2} << 30;

// Lets this process take `more` bytes beyond what it has. Then allocations fail, so a plugin that
// asks for too much gets std::bad_alloc or NULL and does not slow down the machine. Does nothing in
// a process with the huge address space of a sanitizer.
void limit_memory(std::uint64_t more);

}  // namespace sculpt::core
