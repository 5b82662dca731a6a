// training_summary.hpp - what train tells before and after the passes.
#pragma once

#include <cmath>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/data/memory_estimate.hpp"
#include "command/training/run_times.hpp"
#include "experiment/experiment.hpp"
#include "launch/console.hpp"
#include "problem/prediction/predictor.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

using SplitEvaluations = std::vector<std::pair<std::string, Evaluation>>;  // by split

// What another oracle's answers, an exact one's as a rule, say of P of outputs at trained weights.
struct Audit {
  std::string oracle;   // OracleUse::text
  std::string refused;  // why it does not take the problem at these weights; "": it does
  double primal_low = 0;
  double primal_high = std::numeric_limits<double>::infinity();  // infinite: it promises nothing
  double gap = std::numeric_limits<double>::quiet_NaN();         // NaN: there is no dual of that P
  double relative_gap = std::numeric_limits<double>::quiet_NaN();
  bool bounded() const { return std::isfinite(primal_high); }
  double primal() const { return bounded() ? primal_high : primal_low; }
  // How primal() and the gaps that follow from it are to be read.
  BoundKind known() const;
};

// Splits measured with another oracle.
struct PredictedWith {
  std::string oracle;   // OracleUse::text
  std::string refused;  // as above; then splits are missing
  SplitEvaluations splits;
};

// What is known of trained weights.
struct ModelMetrics {
  SplitEvaluations splits;
  std::vector<PredictedWith> predicted_with;
  std::optional<Audit> audit;
  bool complete = true;  // nothing was left out on request
};

// Sizes, the objective, and what C is called elsewhere.
void print_start(Console& console, const Experiment& experiment, const SolverDescriptor& solver,
                 const Objective& objective, Problem& problem);

// "1427.51"; "at least 1427.51" where no upper bound is known, "at most" where it is one.
std::string primal_text(double primal, BoundKind known);

// The result as a short table.
void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const ModelMetrics& figures, const RunTimes& times, const AdviceFacts& shape,
                  const RunMemory& memory, const std::filesystem::path& model);

}  // namespace sculpt::core
