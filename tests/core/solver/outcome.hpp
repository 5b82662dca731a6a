// outcome.hpp - whole runs of a solver on a small problem, and what they leave.
//
// For tests of single runs, and of runs against those that go on from their checkpoints.
#pragma once

#include <utility>
#include <vector>

#include "core/solver/kept_checkpoints.hpp"
#include "core/solver/listed_problem.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core::test {

struct Outcome {
  Result result;
  std::vector<PassReport> reports;
  std::vector<KeptCheckpoints::Kept> kept;
};

inline Outcome run(Solver& solver, PlaneSource& problem, KeptCheckpoints& checkpoints,
                   const StopRequest& request = {}) {
  Recorder recorder;
  Outcome outcome;
  outcome.result = solver.solve(problem, recorder, request, checkpoints);
  outcome.reports = std::move(recorder.reports);
  outcome.kept = checkpoints.kept;
  return outcome;
}

// Of a Setting or an OnlineSetting, on its own problem.
template <class AnySetting>
Outcome run(const AnySetting& setting, const StopOptions& stop, KeptCheckpoints checkpoints = {},
            const StopRequest& request = {}) {
  ListedProblem problem = problem_of(setting);
  return run(*solver_of(setting, stop), problem, checkpoints, request);
}

}  // namespace sculpt::core::test
