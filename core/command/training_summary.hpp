// training_summary.hpp - what train tells before and after the passes.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "command/console.hpp"
#include "command/memory_estimate.hpp"
#include "command/run_times.hpp"
#include "experiment/experiment.hpp"
#include "problem/predictor.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

using Measured = std::vector<std::pair<std::string, Evaluation>>;  // by split

// Sizes, the objective, and what C is called elsewhere.
void print_start(Console& console, const Experiment& experiment, const SolverKind& solver,
                 Problem& problem);

// "1427.51", or "at least 1427.51" where no upper bound is known.
std::string primal_text(double primal, bool bounded);

// The result as a short table.
void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const Measured& measured, const RunTimes& times, const RunShape& shape,
                  const RunMemory& memory, const std::filesystem::path& model);

}  // namespace sculpt::core
