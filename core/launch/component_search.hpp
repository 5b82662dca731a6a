// component_search.hpp - where the components of an experiment are searched, and what they declare.
//
// Called by Assembly and by the commands that read experiments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiment/experiment.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// SCULPT_KIND_* of "dataset", "features", "loss", "oracle", "kernel".
std::uint32_t kind_of(const std::string& section);

// Returns a function for overrides: true if a component or solver declares a key.
IsDeclared declared_in(Registry& registry);

// Where components are searched: plugin_path of the experiment first. Warnings go to stderr.
Registry::Settings registry_settings(const JsonDocument& document,
                                     const std::vector<Override>& overrides);
// The same for a model, which has no plugin_path.
Registry::Settings registry_settings();

}  // namespace sculpt::core
