// absolute_paths.hpp - the paths of an experiment that moves to another folder.
//
// Called by `sculpt new experiment`.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace sculpt::core {

// Makes the relative paths of an experiment absolute. `resolved`: the same experiment as train
// writes it to config.json, where all paths are absolute. Other values stay as they are.
void make_paths_absolute(nlohmann::ordered_json& experiment,
                         const nlohmann::ordered_json& resolved);

}  // namespace sculpt::core
