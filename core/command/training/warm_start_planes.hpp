// warm_start_planes.hpp - the planes of the run that `solver.warm_start` names.
//
// Called by train. They are read from the newest checkpoint of that run, whatever ended it, and
// nothing of it is needed from then on: the checkpoints of the run that begins with them hold all.
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
  std::string hash;  // of planes and alpha: equal runs have equal ones
};

// Requires chosen.warm_start(). `solver` is made of `chosen`; `identity` is that of this run once
// it is bound, with files(). Throws Failure: Exit::missing when there is no such run or it left no
// checkpoint, Exit::data when that is damaged, and Exit::config, with the place of the key, when
// its planes are not planes of this run.
WarmStartPlanes load_warm_start_planes(const Experiment& experiment, const ChosenSolver& chosen,
                                       const Solver& solver, const nlohmann::ordered_json& identity,
                                       PlaneSource& source, Console& console);

}  // namespace sculpt::core
