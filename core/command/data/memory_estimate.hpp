// memory_estimate.hpp - what train says of its memory before the first pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/data/data_columns.hpp"
#include "problem/problem.hpp"
#include "solver/problem_shape.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

// Requires a problem made for training, and the columns of its data. Throws Failure (Exit::data)
// where psi of a truth is wrong.
ProblemShape shape_of(Problem& problem, const DataColumns& columns);

// Bytes.
struct RunMemory {
  std::int64_t expected = 0;  // estimated_peak(), of this run
  std::int64_t peak = 0;
};

// The most bytes that the process will have, or has had in reading the data.
std::int64_t estimated_peak(const ProblemShape& shape, const Solver& solver);

// "a smaller solver.max_planes_megabytes, fewer weights, ...": what takes less memory in a pass.
std::string to_need_less(const SolverDescriptor& kind, const Solver& solver);

// Throws Failure(Exit::memory) where the least that a run needs is more than the `available` bytes,
// or what it is expected to need by far more, naming the row of the data and the number of weights.
void require_memory(Problem& problem, const ProblemShape& shape, const SolverDescriptor& kind,
                    const Solver& solver, std::int64_t available);

// What deserves a word before the first pass: the run is expected to take more than `available`; a
// solver whose planes are as long as w, where another one needs far less. Empty: nothing does.
std::vector<std::string> memory_warnings(const ProblemShape& shape, const SolverDescriptor& kind,
                                         const Solver& solver, std::int64_t available);

}  // namespace sculpt::core
