// limits.hpp - what kept a run from its target, or took most of its time, and what would help.
//
// Called by train for the last lines of its summary. All of it follows from what the run measured.
#pragma once

#include <string>

#include "command/run_times.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Whether a gap is left that may be all rounding.
bool is_optimum_to_rounding(const Result& result);

// What more passes would not change: at least half of the gap that is left is
enum class GapCause {
  none,
  bounds,    // between the oracle's answers and its upper bounds
  rounding,  // what sums of terms as large as these may be off
  steps      // left by steps or a QP that gain nothing any more
};

// Of a run that did not reach its target and has a gap beyond rounding; else none.
GapCause gap_cause_of(const Result& result);

// Whether C is so large that hardly any slack is left: of P a thousandth at most is their price.
// Requires slacks that have one. Of solvers that prove a dual; of others false.
bool slacks_vanish(const Result& result);

// One line: the cause, else the largest part of the time, with advice.
std::string limit_text(const Result& result, const RunTimes& times, const RunShape& shape);

}  // namespace sculpt::core
