// sweep_points.hpp - checks every point of a sweep as train would, before anything is trained.
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
  // [points] The identity that train --resume compares (RunIdentity), without the libraries: a
  // plugin may be repaired before a sweep is resumed. With folds, the identity with the first fold
  // held out.
  std::vector<nlohmann::ordered_json> identities;
  std::string name;          // of the experiment
  std::int64_t threads = 0;  // of the experiment
};

// True: the data are read for their hashes. False: the identities have no hashes.
enum class HashesData : bool { no, yes };

// `config`: the experiment, as for train. `is_cold`: no cell starts with planes. Throws Failure:
// what train would throw before it loads data. Exit::usage for keys that a sweep sets itself, and
// for two points that are the same experiment.
SweepPoints check_points(const std::string& config, const Grid& grid,
                         const HoldOutOptions& hold_out_options, bool is_cold,
                         HashesData hashes_data = HashesData::yes);

}  // namespace sculpt::core
