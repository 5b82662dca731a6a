// outcome.hpp - runs a solver on a small problem. Returns its result, reports and checkpoints.
//
// For tests of single runs, and for tests that compare a run with one resumed from a checkpoint.
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
  std::vector<KeptCheckpoints::Checkpoint> kept;
};

inline Outcome run(Solver& solver, const Ports& ports, KeptCheckpoints& checkpoints,
                   const StopRequest& request = {}) {
  Recorder recorder;
  Outcome outcome;
  outcome.result = solver.solve(ports, recorder, request, checkpoints);
  outcome.reports = std::move(recorder.reports);
  outcome.kept = checkpoints.kept;
  return outcome;
}

// Runs the solver of a Setting or an OnlineSetting on the problem of this setting.
template <class AnySetting>
Outcome run(const AnySetting& setting, const StopOptions& stop, KeptCheckpoints checkpoints = {},
            const StopRequest& request = {}) {
  ListedProblem problem = problem_of(setting);
  return run(*solver_of(setting, stop), problem, checkpoints, request);
}

}  // namespace sculpt::core::test
