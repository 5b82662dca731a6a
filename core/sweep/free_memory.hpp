// free_memory.hpp - how much memory further processes may take. Linux.
//
// Asked by CellRunner before it starts another cell.
#pragma once

#include <cstdint>

namespace sculpt::core {

// Bytes: what the kernel says is available, or what the control groups of this process leave of
// their limits, whichever is less.
std::int64_t free_memory();

}  // namespace sculpt::core
