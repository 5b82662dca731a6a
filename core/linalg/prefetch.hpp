// prefetch.hpp - keeps functions that only prefetch.
#pragma once

namespace sculpt::core {

// GCC takes a function that only prefetches for one without effect, and leaves out calls of it.
// Call this in such a function: the statement counts as an effect, and is no instruction.
inline void keep_prefetches() {
  __asm__ volatile("");
}

}  // namespace sculpt::core
