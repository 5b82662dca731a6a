// next_commands.hpp - the commands that build, check, train and use a new plugin.
//
// Called by command/new.cpp.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

// One command each, for a shell in the folder where the plugin was made. They use the program and
// the SDK that this process belongs to, also if these are not on the PATH.
std::vector<std::string> next_commands(const std::string& name);

}  // namespace sculpt::core
