// final_run.hpp - the final run with the settings that a sweep has chosen.
//
// Called by the command sweep for --best, and for --cell best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/runs/sculpt_process.hpp"
#include "sweep/runs/sweep_folder.hpp"

namespace sculpt::core {

struct FinalRun {
  std::string config;                 // the experiment, as for train
  std::vector<std::string> settings;  // of the point: "KEY=VALUE"
  int threads = 1;
  bool is_quiet = false;  // prints warnings and errors alone
};

// Trains on the whole split "train" into the folder's best(). What train prints goes to `log`, or
// to our output if `log` is empty. How it ended goes to the folder's best_end(). Resumes a run that
// exists if its settings are the same, except limits, on the same files. Otherwise replaces it.
// Returns how train ended; nothing if it was stopped on request. Throws Failure: what train would
// throw before it loads data.
std::optional<ProcessExit> train_on_all(const FinalRun& run, const SweepFolder& folder,
                                        const std::filesystem::path& log = {});

}  // namespace sculpt::core
