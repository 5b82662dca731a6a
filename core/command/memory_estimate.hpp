// memory_estimate.hpp - what train says of its memory before the first pass.
#pragma once

#include <cstdint>

#include "problem/problem.hpp"
#include "solver/problem_shape.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Requires a problem made for training. Throws Failure (Exit::data) where psi of a truth is wrong.
ProblemShape shape_of(Problem& problem);

// Bytes.
struct RunMemory {
  std::int64_t expected = 0;  // estimated_peak(), of this run
  std::int64_t peak = 0;
};

// The most bytes that the process will have, or has had in reading the data.
std::int64_t estimated_peak(Problem& problem, const Solver& solver);

}  // namespace sculpt::core
