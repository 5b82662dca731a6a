// memory_estimate.hpp - estimates the memory of a run before the first pass.
//
// Called by train.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/data/data_columns.hpp"
#include "problem/problem.hpp"
#include "solver/problem_statistics.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

// Sizes of the problem that the estimates use. Requires a problem made for training, and the
// columns of its data. Throws Failure (Exit::data) if psi of a truth is wrong.
ProblemStatistics statistics_of(Problem& problem, const DataColumns& columns);

// In bytes.
struct RunMemory {
  std::int64_t expected = 0;  // estimated_peak() of this run
  std::int64_t peak = 0;
  std::vector<std::string> plan;  // memory_plan_lines(); empty without the key "memory"
};

// The peak memory of the process in bytes. Returns the larger of the expected peak and the peak so
// far, from reading the data. `expected`, here and below: the bytes that the solver will need,
// without those in files.
std::int64_t estimated_peak(double expected);

// The advice that reduces the memory of a pass: "a smaller solver.max_planes_megabytes, fewer
// weights, ...".
std::string memory_advice(const SolverDescriptor& descriptor, const Solver& solver);

// Throws Failure(Exit::memory) if the minimum for the run is above `available` bytes, or if the
// expected memory is more than twice that. The message names the widest row of the data and the
// number of weights.
void require_memory(Problem& problem, const ProblemStatistics& statistics,
                    const SolverDescriptor& descriptor, const Solver& solver, double expected,
                    std::int64_t available);

// Warnings before the first pass. One: the run is expected to need more than `available` bytes. The
// other: the solver keeps planes as long as w, and n_slack would need far less. Empty: no warning.
std::vector<std::string> memory_warnings(const ProblemStatistics& statistics,
                                         const SolverDescriptor& descriptor, const Solver& solver,
                                         double expected, std::int64_t available);

}  // namespace sculpt::core
