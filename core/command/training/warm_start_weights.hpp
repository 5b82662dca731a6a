// warm_start_weights.hpp - the weights of the model that `solver.warm_start` names, for solvers
// without planes.
//
// Called by train. After that the files of the model are not needed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiment/experiment.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

struct WarmStartWeights {
  Vector weights;
  std::string hash;  // of the weights; equal for equal models
};

// Equal for equal weights.
std::string hash_of_weights(const Vector& weights);

// `path`: a run folder or a model file. `identity`: the header of the model of this run. Throws
// Failure. Exit::missing: there is no such model. Exit::data: it is damaged. Exit::config with the
// position of the key: its weights belong to other features or data. [main]
WarmStartWeights load_warm_start_weights(const Experiment& experiment, const char* path,
                                         const nlohmann::ordered_json& identity);

}  // namespace sculpt::core
