// submission.hpp - writes the scripts of a sweep into its folder, and gives them to Slurm.
//
// Called by the command sweep for --slurm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/slurm/slurm_script.hpp"

namespace sculpt::core {

struct SubmittedJob {
  std::string script;  // "cells-1.sh"
  std::string id;      // "4711"
};

// Throws Failure(Exit::plugin) if there is no program sbatch on the PATH.
void require_sbatch();

class SlurmFolder {
 public:
  // `folder`: DIR/slurm, which is made. Throws Failure(Exit::cannot_create).
  explicit SlurmFolder(std::filesystem::path folder);

  std::filesystem::path submit_script() const { return folder_ / "submit.sh"; }
  // Replaces the scripts of an earlier submission. Logs stay. Throws Failure.
  void write(const std::vector<SlurmScript>& scripts) const;
  // Runs submit.sh. Throws Failure(Exit::plugin) with the message of sbatch if it refuses a job. It
  // names the jobs that were submitted before, and how to cancel them. Throws
  // Failure(Exit::interrupted) on a stop request, likewise.
  std::vector<SubmittedJob> submit() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace sculpt::core
