// slurm_sweep.hpp - gives the cells of a sweep to a cluster with Slurm.
//
// Called by sweep.cpp for --slurm. The jobs call it again, with --cell and --collect
// (joined_sweep.hpp).
#pragma once

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "command/sweeping/sweep_request.hpp"

namespace sculpt::core {

struct SlurmRequest {
  std::vector<std::string> options;  // for sbatch: "--time=01:00:00"
  bool writes_only = false;          // writes the scripts, and submits nothing
};

// Checks what a sweep on this machine checks before it trains, makes the folder, writes the scripts
// of the cells that have not ended, and submits them. Throws Failure. Exit::plugin: there is no
// sbatch, or it refuses a job. Requires restore_child_signal(). [main]
Exit submit_sweep(const SweepRequest& request, const SlurmRequest& slurm);

}  // namespace sculpt::core
