// gap_cause.hpp - why more passes would not close the gap of a run.
//
// Called by PassController, to distinguish a standstill from an optimum, and by train for its
// summary. The result depends only on what the run measured.
#pragma once

#include "solver/solver.hpp"

namespace sculpt::core {

// True if the result is certified and its gap is so small that it may be rounding only.
bool is_optimum_to_rounding(const Result& result);

// Why more passes would not close the gap. A cause explains at least half of the gap. `steps` may
// explain less if the oracle is exact.
enum class GapCause {
  none,
  bounds,    // the oracle's answers and its upper bounds differ
  rounding,  // rounding of sums of terms as large as these
  steps      // steps or the QP leave this gap and gain nothing any more
};

// Returns the cause for a run that missed its target and has a gap beyond rounding. Returns `steps`
// if the run cannot progress while hard margins are violated. Else returns `none`.
GapCause gap_cause_of(const Result& result);

}  // namespace sculpt::core
