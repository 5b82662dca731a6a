// memory_rows_check.hpp - whether arrays of a program keep what ext/draft/memory_source.h promises.
//
// Called by MemoryRows. Reads each array once. Where a fault is found, it also names the example,
// because users see the message in Python.
#pragma once

#include <sculpt/ext/draft/memory_source.h>

#include <string>

namespace sculpt::core {

// Returns the first fault: "example 3, site 2: index[17] is 9, but there are 5 features". "": there
// is none. The sizes of the arrays are those that their offsets name, and cannot be checked.
std::string fault_of(const sculpt_memory_rows& rows);

}  // namespace sculpt::core
