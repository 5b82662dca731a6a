// warm_start_planes.hpp - the planes of the run that `solver.warm_start` names.
//
// Called by train. The planes come from the newest checkpoint of that run, however it ended. After
// that its files are not needed: the checkpoints of the new run contain all planes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "launch/console.hpp"
#include "launch/run_identity.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

struct WarmStartPlanes {
  WorkingSet working_set;
  std::string hash;  // of planes and alpha; equal for equal runs
};

// Requires chosen.warm_start(). `solver` was created from `chosen`. `identity`: of this run after
// it is bound, with file_hashes(). Throws Failure. Exit::missing: there is no such run, or it has
// no checkpoint. Exit::data: the checkpoint is damaged. Exit::config with the position of the key:
// its planes are not planes of this run.
WarmStartPlanes load_warm_start_planes(const Experiment& experiment, const ChosenSolver& chosen,
                                       const Solver& solver, const nlohmann::ordered_json& identity,
                                       PlaneSource& source, Console& console);

}  // namespace sculpt::core
