// block_bytes.hpp - what a block of a WorkingSet takes in memory.
//
// Called where a run's memory is estimated. Belongs to working_set.hpp: who changes how planes are
// kept changes this too.
#pragma once

namespace sculpt::core {

// Bytes of a block with so many planes beside plane 0, with the holes that its growth leaves in the
// heap; `vector_bytes`: PlaneVector::bytes() of each, in the mean; `shared`: all share one half.
double block_bytes(double planes, double vector_bytes, bool shared);

}  // namespace sculpt::core
