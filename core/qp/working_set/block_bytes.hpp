// block_bytes.hpp - the memory of a block of a WorkingSet.
//
// Called by solver/plane_memory.cpp. Change it together with working_set.hpp.
#pragma once

namespace sculpt::core {

// Bytes of a block with this many planes, without plane 0. Includes the holes that its growth
// leaves in the heap. `vector_bytes`: mean of PlaneVector::bytes(). `share_input`: all planes
// share one input vector.
double block_bytes(double planes, double vector_bytes, bool share_input);

}  // namespace sculpt::core
