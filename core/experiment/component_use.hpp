// component_use.hpp - the three forms of `use`: "name", "org.sculpt.name", "file.so#name".
//
// Called where a section is read or overridden.
#pragma once

#include <string>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// The same with the library's path made absolute if it has a "/". A bare "file.so" stays: it is
// looked for in the folders of plugins. Throws Failure(Exit::config) when either half is empty or
// a path comes without "#name".
std::string absolute_use(const std::string& use, const Position& position);

// The part behind "#", or all of it.
std::string component_of_use(const std::string& use);

}  // namespace sculpt::core
