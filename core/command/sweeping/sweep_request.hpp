// sweep_request.hpp - what a sweep is asked to do.
//
// Made by sweep.cpp, and by train for --tune.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "run/run_folder.hpp"
#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

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

// The same request, but its results are not printed.
SweepRequest silent(SweepRequest request);

// The words after "sculpt" of a command that works on the same sweep, quoted for a shell: "sweep
// x.json --set solver.C=1,10 --folds 5 --output DIR". Without --resume and the like.
std::string sweep_words(const SweepRequest& request);

}  // namespace sculpt::core
