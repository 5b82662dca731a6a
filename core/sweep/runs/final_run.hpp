// final_run.hpp - the final run with the settings that a sweep has chosen.
//
// Called by the command sweep for --best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/runs/sweep_folder.hpp"

namespace sculpt::core {

struct FinalRun {
  std::string config;                 // the experiment, as for train
  std::vector<std::string> settings;  // of the point: "KEY=VALUE"
  int threads = 1;
  bool is_quiet = false;  // prints warnings and errors alone
};

// Trains on the whole split "train" into the folder's best(), and prints what train prints. Resumes
// a run that exists if its settings are the same, except limits, on the same files. Otherwise
// replaces it. Returns the exit code of train; nothing if it was stopped on request. Throws
// Failure: what train would throw before it loads data.
std::optional<int> train_on_all(const FinalRun& run, const SweepFolder& folder);

}  // namespace sculpt::core
