// model_metrics.hpp - what trained weights are worth: the splits, with every oracle that is to
// be measured with, and the true primal.
//
// Called by Training when the model is written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "command/training/training_summary.hpp"
#include "experiment/experiment.hpp"
#include "launch/console.hpp"
#include "problem/problem.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// A stop request costs what is not measured yet, and an oracle that refuses the problem at these
// weights its own figures. Throws Failure.
ModelMetrics measure(Problem& problem, const Experiment& experiment, const Result& result,
                     Console& console);

// "train", "validation" and "test", "predict_with": {oracle: the same}, "audit": {"oracle",
// "primal", "primal_low", "primal_high", "gap", "relative_gap", "known"} ("exactly", "at
// least" or "at most": how primal and the gaps are to be read) and "all_measured". Of an oracle
// that refused there is "refused": why.
void add_figures(nlohmann::ordered_json& event, const ModelMetrics& figures);

}  // namespace sculpt::core
