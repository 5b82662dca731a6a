// sweep_run.hpp - runs the cells of a sweep, prints its table and chooses the best point.
//
// Called by sweep.cpp, and by train for --tune.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "run/run_folder.hpp"
#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/results/best_point.hpp"

namespace sculpt::core {

struct SweepRequest {
  std::string config;  // the experiment, as for train
  Grid grid;
  HoldOutOptions hold_out_options;
  RunFolder::Existing existing = RunFolder::Existing::refuse;
  std::optional<Criterion> criterion = {};  // by which the best point is chosen; empty: none is
  bool trains_best = true;                  // on all of "train", in the folder best/
  bool is_cold = false;                     // no cell starts with the planes of another one
  bool is_quiet = false;                    // prints warnings and the table alone
  // The first points of the grid, whose cells an earlier call has printed.
  std::size_t printed_points = 0;
  // Prints the table, the best point and warnings about it. Else only SweepEnd has them.
  bool prints_results = true;
  std::filesystem::path output = {};  // absolute; empty: sweeps/NAME
  // The number of threads, of the number that the experiment asks for. Never empty.
  std::function<int(std::int64_t)> threads_of = {};
};

struct SweepEnd {
  Exit exit = Exit::reached;           // of the command
  bool is_stopped = false;             // on request; the message says how to continue
  std::vector<std::string> best = {};  // the settings "KEY=VALUE" of the best point; empty: none
  std::vector<GridEdge> edges = {};    // on which the best point lies; none if it missed its target
  std::vector<std::string> warnings = {};  // of cells that missed their target
  std::string table = {};                  // Markdown
};

// Prints the table of a sweep on stdout.
void print_table(const std::string& markdown);

// Requires restore_child_signal(). Throws Failure. [main]
SweepEnd run_sweep(const SweepRequest& request);

}  // namespace sculpt::core
