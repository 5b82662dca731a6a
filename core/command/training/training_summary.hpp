// training_summary.hpp - what train prints before and after the passes.
//
// Called by Training. describe (reports/) uses primal_text.
#pragma once

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/infinity.hpp"
#include "base/text/text_out.hpp"
#include "command/data/memory_estimate.hpp"
#include "command/training/run_times.hpp"
#include "experiment/experiment.hpp"
#include "launch/console.hpp"
#include "problem/prediction/predictor.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

using SplitEvaluations = std::vector<std::pair<std::string, Evaluation>>;  // by split

// The bounds of P at the trained weights that another oracle gives, usually an exact one.
struct Audit {
  std::string oracle;   // OracleUse::text
  std::string refusal;  // why it refuses the problem at these weights; "": it does not
  double primal_low = 0;
  double primal_high = infinity;                          // infinite: no upper bound
  double gap = std::numeric_limits<double>::quiet_NaN();  // NaN: there is no dual for this P
  double relative_gap = std::numeric_limits<double>::quiet_NaN();
  bool is_bounded() const { return std::isfinite(primal_high); }
  double primal() const { return is_bounded() ? primal_high : primal_low; }
  // How to read primal() and the gaps that follow from it.
  BoundKind bound_kind() const;
};

// The splits evaluated with another oracle.
struct PredictedWith {
  std::string oracle;   // OracleUse::text
  std::string refusal;  // as in Audit; then splits are missing
  SplitEvaluations splits;
};

// The metrics of the trained weights.
struct ModelMetrics {
  SplitEvaluations splits;
  std::vector<PredictedWith> predicted_with;
  std::optional<Audit> audit;
  bool is_complete = true;  // false: some were left out after a stop request
};

// Prints the sizes, the objective, and what C is in other programs. `data_sizes`: positions, labels
// and inputs of the training data, "" if the dataset offers no rows.
void print_start(Console& console, const Experiment& experiment, const SolverDescriptor& solver,
                 const Objective& objective, Problem& problem, const std::string& data_sizes);

// "1427.51". With "at least" if only a lower bound is known, with "at most" if it is an upper
// bound.
std::string primal_text(double primal, BoundKind kind);

// The warnings that print_result() prints among its rows.
std::vector<std::string> warnings_of(const ModelMetrics& metrics);

// "validation after pass 27", and "pass 12, the best by validation: loss 0.13 (pass 27: 0.15);
// ...". `validated`: ValidatedRun::json(). Throws Json::exception if it is no such object.
std::string stop_text(const nlohmann::ordered_json& validated);
std::string validated_text(const nlohmann::ordered_json& validated);

// True if a signal ended the run, or a limit that --resume may raise. `has_target`: a limit is
// early only before a target.
bool ended_early(const Result& result, bool has_target);

// "2557 computed, 97 % of those asked for were in memory".
std::string kernel_rows_text(std::int64_t computed, std::int64_t asked);

// Prints the result as a short table. `example_weights`: example_weights_text(), "" if all are 1.
// `kernel_rows`: kernel_rows_text(), "" without a kernel. `ranks`: rank_summary_text(), "" for one
// process. `more_cores`: more_cores_text(); "" for none.
// `validated`: ValidatedRun::json(), or null.
// `resume_command`: how to continue a run that ended early; "" for other runs.
void print_result(TextOut& out, const Experiment& experiment, const Result& result,
                  const ModelMetrics& metrics, const RunTimes& times, const AdviceFacts& facts,
                  const RunMemory& memory, const std::string& example_weights,
                  const std::string& kernel_rows, const std::string& ranks,
                  const std::string& more_cores, const nlohmann::ordered_json& validated,
                  const std::string& resume_command, const std::filesystem::path& model);

}  // namespace sculpt::core
