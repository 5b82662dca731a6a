// schema.hpp - the JSON schema (draft-07) of an experiment, for editors.
//
// Called by describe. The schema accepts and refuses the same as the host, as far as the tables of
// parameters allow this. It uses the tables of the top level and the splits (experiment_keys.hpp),
// of the solvers, and of all listed components. Only the host can check if a file exists, what an
// environment variable contains, and if a name can be a folder name. The same holds for which
// components fit together, and for what "file.so#name" refers to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "registry/registry.hpp"

namespace sculpt::core {

// The schema of a whole experiment.
nlohmann::ordered_json experiment_schema(Registry& registry);

// The schema of the section of one component or solver, by short name or full id. Empty if there is
// none. If several have the name, they are alternatives.
std::optional<nlohmann::ordered_json> section_schema(Registry& registry, const std::string& name);

}  // namespace sculpt::core
