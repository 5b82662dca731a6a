// schema.hpp - the JSON schema (draft-07) of an experiment, for editors.
//
// Called by describe. It accepts what the host accepts and refuses what the host refuses, as far as
// that can be told from the tables of parameters: of the top level and the splits
// (experiment_keys.hpp), of the solvers, and of every component that the registry lists. What only
// the host can tell: whether a file is there, what a variable of the environment holds, whether a
// run's name can name a folder, which components go together, and what lies behind "file.so#name".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "registry/registry.hpp"

namespace sculpt::core {

// Of a whole experiment.
nlohmann::ordered_json experiment_schema(Registry& registry);

// Of the section of one component or solver, by short name or full id; nothing if there is none. A
// name that several have gives all of them as alternatives.
std::optional<nlohmann::ordered_json> section_schema(Registry& registry, const std::string& name);

}  // namespace sculpt::core
