// moment_memory.hpp - estimates the bytes that the moments of a run keep: samples, or the b_i of
// soda, and their sums over the examples.
//
// Called by the solvers of moments, for their expected_bytes().
#pragma once

#include "objective/moment_objective.hpp"
#include "solver/problem_statistics.hpp"

namespace sculpt::core {

double bytes_of_moments(const MomentTerms& terms, const ProblemStatistics& statistics);

}  // namespace sculpt::core
