// sweep_points.hpp - every point of a sweep as train would read it: what is wrong with one shows
// before anything is trained.
//
// Called by the command sweep.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

namespace sculpt::core {

struct SweepPoints {
  std::vector<PointTraits> traits;  // [points]
  // [points] What train --resume compares (RunIdentity), but for the libraries: a plugin may be
  // mended between a sweep and its resumption. Of folds, with the first held out.
  std::vector<nlohmann::ordered_json> identities;
  std::string name;          // of the experiment
  std::int64_t threads = 0;  // that it asks for
};

// `config`: of the experiment, as train takes it. `cold`: no cell begins with planes. Throws
// Failure: what train would throw before it loads data; Exit::usage for keys that a sweep sets
// itself, and for two points that are one experiment.
SweepPoints check_points(const std::string& config, const Grid& grid,
                         const HoldOutOptions& hold_out_options, bool cold);

}  // namespace sculpt::core
