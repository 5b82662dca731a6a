// model_metrics.hpp - evaluates the trained weights: all splits with all oracles, and the true
// primal.
//
// Called by Training after the model is written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "command/training/best_pass.hpp"
#include "command/training/training_summary.hpp"
#include "experiment/experiment.hpp"
#include "launch/console.hpp"
#include "objective/objective.hpp"
#include "problem/problem.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Models of a log-loss have the metrics of probabilities beside the others. On a stop request the
// metrics so far are kept and the rest is left out. If an oracle refuses the
// problem at these weights, only its metrics are missing. Throws Failure.
ModelMetrics measure(Problem& problem, const Experiment& experiment, const Objective& objective,
                     const Result& result, Console& console);

// Measures a model on the validation examples by the metric of the rule. A value that is undefined
// is worse than all others. Throws Failure, also if there is no such metric, and Cancelled.
ValidationValue measure_validation(Problem& problem, const Experiment& experiment,
                                   const Objective& objective, const Result& result,
                                   const ValidationRule& rule);

// Adds the metrics to the event "finished". The keys are "train", "validation" and "test";
// "predict_with": {oracle: the same}; "audit"; and "all_measured". "audit" has "oracle", "primal",
// "primal_low", "primal_high", "gap", "relative_gap" and "known". "known" is "exactly", "at least"
// or "at most": how to read the primal and the gaps. An oracle that refused has "refused" with the
// reason.
void add_metrics(nlohmann::ordered_json& event, const ModelMetrics& metrics);

}  // namespace sculpt::core
