// tuning.hpp - `sculpt train --task --tune`: chooses C by folds of the training data.
//
// A sweep beside the run folder, RUN.tune: experiment.json is what it trains, without the test
// data, and sweep/ its cells and its table. Called by train.cpp.
#pragma once

#include <filesystem>
#include <optional>

#include "base/failure.hpp"
#include "command/task/task_experiment.hpp"
#include "launch/console.hpp"
#include "run/run_folder.hpp"
#include "sweep/runs/rank_cells.hpp"

namespace sculpt::core {

struct TuningEnd {
  std::optional<double> C;    // the best; empty: there is none
  Exit exit = Exit::reached;  // if there is none
};

// `run`: the run folder, absolute. Tries five values of C around its default, a factor of 5 apart,
// and up to three further ones while the best is the smallest or the largest. Every third of the
// training examples is held out once. Prints what it does, and the table. Throws Failure.
// Exit::usage: C is set, or the solver has none. Exit::data: there is one example alone.
// Exit::cannot_create: RUN.tune exists, and `existing` is refuse. Exit::config: it has another
// experiment, and `existing` is resume. `cells`: as for run_sweep().
TuningEnd tune(const TaskExperiment& experiment, const std::filesystem::path& run,
               RunFolder::Existing existing, const ThreadsOf& threads_of, RankCells* cells,
               Console& console);

// RUN.tune/sweep, which report reads.
std::filesystem::path tuning_sweep_folder(const std::filesystem::path& run);

}  // namespace sculpt::core
