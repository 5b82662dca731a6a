// plugin_name.hpp - the name of a new plugin. It becomes the name of files, of a CMake target, of
// components, and a part of names in C and C++.
//
// Called by command/new.cpp and plugin_files.cpp.
#pragma once

#include <string>

#include "registry/registry.hpp"

namespace sculpt::core {

// Throws Failure(Exit::usage) unless the name is a word such as "my_tagger" that C, C++ and CMake
// accept in all of these places.
void require_plugin_name(const std::string& name);

// Throws Failure(Exit::usage) if a component, a library or a solver has this name. Experiments
// could not tell the two apart.
void require_free_name(Registry& registry, const std::string& name);

// Throws Failure(Exit::usage): the name, then the reason and what to do.
[[noreturn]] void refuse_name(const std::string& name, const std::string& reason);

// The name of its classes: "MyTagger" for "my_tagger".
std::string class_name_of(const std::string& name);

}  // namespace sculpt::core
