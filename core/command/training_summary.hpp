// training_summary.hpp - what train tells before and after the passes.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "command/console.hpp"
#include "experiment/experiment.hpp"
#include "problem/predictor.hpp"
#include "solver/formulation.hpp"

namespace sculpt::core {

using Measured = std::vector<std::pair<std::string, Evaluation>>;  // by split

// "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10"
std::string objective_text(const Formulation& formulation);

// Sizes, the objective, and what C is called elsewhere.
void print_start(Console& console, const Experiment& experiment, Problem& problem,
                 const Formulation& formulation);

// The result as a short table.
void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const Measured& measured, double seconds, const std::filesystem::path& model);

}  // namespace sculpt::core
