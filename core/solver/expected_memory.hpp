// expected_memory.hpp - the bytes that a run of a solver will come to, before its first pass.
//
// Called by the solvers' expected_bytes(). Sizes are those of the code; how many planes a run keeps
// is a guess from the runs of tests/bench/README.md: where the data is harder, C larger or the
// target nearer than there, it needs more.
#pragma once

#include "solver/options.hpp"
#include "solver/problem_shape.hpp"

namespace sculpt::core {

double expected_bytes(const ProblemShape& shape, const NSlackOptions& options);
double expected_bytes(const ProblemShape& shape, const OneSlackOptions& options);
double expected_bytes(const ProblemShape& shape, const FrankWolfeOptions& options);
double expected_bytes(const ProblemShape& shape, const OnlineOptions& options);
double expected_bytes(const ProblemShape& shape, const GenerativeOptions& options);

// Without any guess: vectors as long as w, all of which the first pass writes to, and for one_slack
// a plane and the sums that it is made of.
double least_bytes(const ProblemShape& shape, const NSlackOptions& options);
double least_bytes(const ProblemShape& shape, const OneSlackOptions& options);
double least_bytes(const ProblemShape& shape, const FrankWolfeOptions& options);
double least_bytes(const ProblemShape& shape, const OnlineOptions& options);
double least_bytes(const ProblemShape& shape, const GenerativeOptions& options);

}  // namespace sculpt::core
