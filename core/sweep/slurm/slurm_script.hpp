// slurm_script.hpp - the scripts of a sweep on a cluster with Slurm: DIR/slurm.
//
//   cells-1.sh   an array job; each task trains one cell. cells-2.sh: those behind them, ...
//   finish.sh    makes the table, and trains the final run of --best
//   submit.sh    submits all of them, in order
//
// They are bash, for people to read and to submit by hand. A task runs `sculpt sweep ... --cell
// NAME`. Called for --slurm.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sweep/slurm/slurm_jobs.hpp"

namespace sculpt::core {

// What the scripts have in common.
struct SlurmSettings {
  std::string name;                      // of the experiment
  std::filesystem::path folder;          // of the sweep, absolute
  std::filesystem::path working_folder;  // relative paths of the command begin here
  std::string command;  // "/usr/bin/sculpt sweep x.json --set ... --output DIR", for a shell
  int threads = 1;      // of a cell
  std::vector<std::string> options;                              // for sbatch: "--time=01:00:00"
  std::vector<std::pair<std::string, std::string>> environment;  // variables that tasks need
  bool trains_best = false;
};

// A script: its name in the folder slurm/, and its text.
using SlurmScript = std::pair<std::string, std::string>;

// Throws Failure(Exit::usage) if an option sets what the scripts set themselves, or cannot be
// written into a script.
void check_slurm_options(const std::vector<std::string>& options);

// Throws Failure(Exit::usage) if a script cannot hold the name of this folder of a sweep.
void check_slurm_folder(const std::filesystem::path& folder);

// All scripts of these jobs; the last is submit.sh. Requires what the two checks accept.
std::vector<SlurmScript> slurm_scripts(const SlurmSettings& settings,
                                       const std::vector<SlurmJob>& jobs);

}  // namespace sculpt::core
