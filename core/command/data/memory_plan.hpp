// memory_plan.hpp - the plan of a run with the key "memory": what is kept in memory, and what lies
// in files.
//
// Called by train before the first pass. Rows of the data lie in files in any case, and psi of the
// truths are kept up to a share of the key (Problem). So the plan decides about planes alone: they
// lie in files unless twice their expected size fits. Nothing is merged or dropped to fit, because
// that would change the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"
#include "solver/memory_part.hpp"
#include "solver/problem_statistics.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct MemoryPlan {
  std::int64_t allowed = 0;       // by the key
  std::int64_t used = 0;          // so far, without mapped files
  std::int64_t truths = 0;        // of these, psi of the truths
  std::vector<MemoryPart> parts;  // of the solver, in addition
  bool maps_planes = false;       // the mappable parts lie in files
  std::string folder;             // of their files
  std::int64_t rows = 0;          // of the data, in files: those of the run, or the cache
  std::string rows_folder;

  double kept_bytes() const;  // of the parts that are in memory
};
// Requires a problem with storage.
MemoryPlan memory_plan(Problem& problem, const ProblemStatistics& statistics, const Solver& solver,
                       std::int64_t allowed);

// The plan as a table: the sum, then a line for each part.
std::vector<std::string> memory_plan_lines(const MemoryPlan& plan);

// Throws Failure(Exit::config) if the plan needs more than is allowed. The message says how much
// would do.
void require_plan_fits(const MemoryPlan& plan, const ProblemStatistics& statistics,
                       const SolverDescriptor& descriptor, const Solver& solver);

}  // namespace sculpt::core
