// sound_result.hpp - what a result of a solver has to hold before the host believes it.
//
// Called by train behind Solver::solve(). A solver that errs is told so in its own name: else the
// components that meet its weights next would be blamed, and its model kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "solver/solver.hpp"

namespace sculpt::core {

// Throws Failure(Exit::internal), naming the `solver`, unless
//
//   w          has `dimension` entries, all finite, and w_j >= 0 where nonnegative[j] is set
//   primal     is primal_high where there is one, and no NaN; primal_low <= primal_high
//   dual       <= primal_high, but for rounding
//   gap        = primal - dual, relative_gap = gap / |primal|, both infinite without a dual
//   certified  only with a primal_high and a dual
//   reached    as has_reached() says
void require_sound(const Result& result, std::int64_t dimension,
                   std::span<const std::uint8_t> nonnegative, const std::string& solver);

}  // namespace sculpt::core
