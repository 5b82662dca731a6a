// plan_option.hpp - the options of describe that say what more ranks would gain.
#pragma once

#include <filesystem>

#include "command/command.hpp"

namespace sculpt::core {

// Adds --plan, --threads, --latency and --bandwidth.
void add_plan_options(CommandLine& line);

// Throws Failure(Exit::usage) if an option needs --plan, which was not given.
void require_plan(const CommandLine& line);

// Prints the plan of a run. `run`: its folder or its model. Requires --plan. Throws Failure.
void print_plan(const CommandLine& line, const std::filesystem::path& run);

}  // namespace sculpt::core
