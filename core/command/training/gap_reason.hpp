// gap_reason.hpp - why the bounds of a run leave a gap, or none are known, in words.
//
// What decides is how the largest violation was found, and what the oracles promised in the last
// pass. Called for the summary of train: its rows "relative gap" and "limited by".
#pragma once

#include <string>

#include "command/training/run_times.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Up to this relative gap a larger target may be acceptable.
inline constexpr double acceptable_gap = 0.1;

// What keeps the bounds of the primal apart: "the search over loss_weight is not exact". Requires
// the cause GapCause::bounds.
std::string bounds_reason(const Result& result, const AdviceFacts& facts);

// The row "limited by" for this cause: the range of the primal, and what narrows it.
std::string bounds_text(const Result& result, const AdviceFacts& facts);

// Why no upper bound of the primal is known: "the oracle gives no upper bound". Requires
// UncertifiedReason::no_upper_bound.
std::string no_bound_reason(const Result& result, const AdviceFacts& facts);

// The row "limited by" for this reason, with advice.
std::string no_bound_text(const Result& result, const AdviceFacts& facts);

}  // namespace sculpt::core
