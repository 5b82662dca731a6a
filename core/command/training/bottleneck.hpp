// bottleneck.hpp - what kept a run from its target, or took most of its time, and what would help.
//
// Called by train for the last lines of its summary. All of it follows from what the run measured.
#pragma once

#include <string>

#include "command/training/run_times.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Whether C is so large that hardly any slack is left: of P a thousandth at most is their price.
// Requires slacks that have one. Of solvers that prove a dual; of others false.
bool slacks_vanish(const Result& result);

// Whether P is so much the price of slacks that doubles hardly see 1/2 ||w||^2, a billionth of it.
bool norm_vanishes(const Result& result);

// Whether the examples are so many to a weight that one_slack takes less time than n_slack: 100 of
// them or more. SplitEvaluations on tables of 30000 rows and 287 weights (104 to 1: 18 s in place
// of 37 s) and of 60000 and 8 (0.6 s, 2.2 s); the reverse on letter (38 to 1) and optdigits (6 to
// 1).
bool suits_one_slack(std::int64_t examples, std::int64_t dimension);

// One line: the cause, else the largest part of the time, with advice.
std::string bottleneck_text(const Result& result, const RunTimes& times, const AdviceFacts& shape);

}  // namespace sculpt::core
