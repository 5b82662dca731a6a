// advice_facts.hpp - collects what the advice at the end of a run depends on.
//
// Called by Training for the summary.
#pragma once

#include "command/training/run_times.hpp"
#include "launch/run_identity.hpp"
#include "objective/objective.hpp"
#include "problem/problem.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// The solver of a run. All outlive this.
struct SolverOfRun {
  const Solver& solver;
  const ChosenSolver& chosen;
  const Objective& objective;
};

// `columns_differ`: the columns of the data differ in scale. [main]
AdviceFacts advice_facts(Problem& problem, const Experiment& experiment, const SolverOfRun& run,
                         const Result& result, bool columns_differ,
                         const ColumnAdvice& column_advice);

}  // namespace sculpt::core
