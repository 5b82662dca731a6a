// component_use.hpp - the three forms of `use`: "name", "org.sculpt.name", "file.so#name".
//
// Called by experiment.cpp, overrides.cpp, resolved_experiment.cpp and launch.
#pragma once

#include <string>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// `use` with the path of its library made absolute if it contains a "/". A bare "file.so" is not
// changed: it is searched in the plugin folders. Throws Failure(Exit::config) if one of the two
// halves is empty, or for a path without "#name".
std::string absolute_use(const std::string& use, const Position& position);

// The part after "#", or all of it.
std::string component_of_use(const std::string& use);

}  // namespace sculpt::core
