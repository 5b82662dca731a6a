// bottleneck.hpp - why a run missed its target or what took most of its time, and the advice.
//
// Called by train for the last lines of its summary. Everything follows from what the run measured.
#pragma once

#include <string>

#include "command/training/run_times.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// True if the slack cost is at most 1/1000 of P: C is so large that hardly any slack is left.
// Requires a soft margin. False for solvers without a dual.
bool slacks_vanish(const Result& result);

// True if 1/2 ||w||^2 is at most 1e-9 of P, so that rounding of P hides it. False for solvers
// without a dual.
bool norm_vanishes(const Result& result);

// True if one_slack is expected to be faster than n_slack: there are at least 100 examples per
// weight. Measured on tables: 30000 rows and 287 weights (104 to 1), 18 s in place of 37 s. 60000
// rows and 8 weights: 0.6 s in place of 2.2 s. n_slack was faster on letter (38 to 1) and optdigits
// (6 to 1).
bool suits_one_slack(std::int64_t examples, std::int64_t dimension);

// One line with advice: the cause of the gap, else the largest part of the time.
std::string bottleneck_text(const Result& result, const RunTimes& times, const AdviceFacts& facts);

}  // namespace sculpt::core
