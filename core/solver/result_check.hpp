// result_check.hpp - what a result of a solver, and each report, has to hold to be believed.
//
// Called by train behind Solver::solve() and in the listener. A solver that errs is told so in its
// own name: else the components that meet its weights next would be blamed, and its model kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "objective/example_source.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Throws Failure(Exit::internal), naming the `solver`, unless
//
//   w          has as many entries as the source has weights, all finite, and w_j >= 0 where that
//              is asked for
//   primal     is primal_high where there is one, and no NaN; primal_low <= primal_high
//   dual       <= primal_high, but for rounding
//   gap        = primal - dual, relative_gap = gap / |primal|, both infinite without a dual
//   certified  only with a primal_high and a dual
//   reached    as has_reached() says, and a relative_gap at most the `target`, where there is one
void require_valid(const Result& result, const ExampleSource& source, std::optional<double> target,
                   const std::string& solver);

// The same for the report of a pass: its number is above `before`, counts and times are not
// negative, P is no NaN, and a certified gap has a dual and is not negative.
void require_valid(const PassReport& report, std::int64_t before, const std::string& solver);

}  // namespace sculpt::core
