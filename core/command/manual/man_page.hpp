// man_page.hpp - manual pages in the language of man(7), from the tables of --help.
//
// Called by command/man.cpp. The build installs them.
#pragma once

#include <span>
#include <string>

#include "command/manual/command_description.hpp"

namespace sculpt::core {

// sculpt(1): the commands, exit codes and variables.
std::string man_page(std::span<const CommandDescription> commands);
// sculpt-train(1) and its siblings.
std::string man_page(const CommandDescription& description);

}  // namespace sculpt::core
