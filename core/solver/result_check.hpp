// result_check.hpp - checks the result of a solver and each of its reports.
//
// Called by train after Solver::solve() and in the listener. The message names the solver that made
// the mistake. Otherwise the message would blame the component that uses the weights next, and the
// model would be saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/failure.hpp"
#include "objective/example_source.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// The numbers of a solver contradict each other (Exit::internal).
class InvalidResult : public Failure {
 public:
  explicit InvalidResult(const std::string& text) : Failure(Exit::internal, text) {}
};

// Throws InvalidResult, with the name of the `solver`, unless
//
//   w          has as many entries as the source has weights, all finite, and w_j >= 0 if this is
//              demanded
//   primal     is primal_high if that is set, and not NaN; primal_low <= primal_high
//   dual       <= primal_high, except for rounding
//   gap        = primal - dual, relative_gap = gap / |primal|, both infinite without a dual
//   certified  only with a primal_high and a dual
//   reached    as has_reached_target() says, and relative_gap is at most the `target`, if there is
//              one
void require_valid(const Result& result, const ExampleSource& source, std::optional<double> target,
                   const std::string& solver);

// The same for the report of a pass. Its number must be above `previous_pass`. Counts and times
// must not be negative. P must not be NaN, and a certified gap must not be negative or NaN.
void require_valid(const PassReport& report, std::int64_t previous_pass, const std::string& solver);

}  // namespace sculpt::core
