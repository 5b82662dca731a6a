// gap_cause.hpp - what keeps the gap of a run open that more passes would not close.
//
// Called by PassController, which tells a standstill from an optimum, and by train for its summary.
// All of it follows from what the run measured.
#pragma once

#include "solver/solver.hpp"

namespace sculpt::core {

// Whether a gap is left that may be all rounding.
bool is_optimum_to_rounding(const Result& result);

// What more passes would not change: at least half of the gap that is left is (of `steps`, any
// part where the oracle is exact)
enum class GapCause {
  none,
  bounds,    // between the oracle's answers and its upper bounds
  rounding,  // what sums of terms as large as these may be off
  steps      // left by steps or a QP that gain nothing any more
};

// Of a run that did not reach its target and has a gap beyond rounding; else none. Hard margins
// that are violated when nothing gains any more count as a gap of steps.
GapCause gap_cause_of(const Result& result);

}  // namespace sculpt::core
