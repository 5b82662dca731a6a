// slurm_jobs.hpp - the array jobs that train the cells of a sweep, a cell a task.
//
// The cells of a chain run one after the other. So the first cells of all chains are one array, the
// second cells the next one, and so on. Task k of an array begins after task k of the array before
// it has ended. Called for --slurm.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::core {

// Slurm refuses a task number of 1001 (its MaxArraySize), unless a cluster allows more.
inline constexpr std::size_t max_array_tasks = 1000;

struct SlurmJob {
  std::string name;                     // "cells-2"; of its script and its logs
  std::vector<std::string> cells;       // [tasks] the names of the cells
  std::optional<std::size_t> previous;  // the job whose tasks come before these
};

// `chains`: the names of the cells that are to be trained, in running order. Empty chains count for
// nothing. An array has at most `max_tasks` tasks; more chains make further arrays.
std::vector<SlurmJob> slurm_jobs(std::vector<std::vector<std::string>> chains,
                                 std::size_t max_tasks = max_array_tasks);

}  // namespace sculpt::core
