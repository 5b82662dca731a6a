// exit_codes.hpp - the exit codes of the program, as --help and the man page list them.
//
// Used by command.cpp and man_page.cpp. base/failure.hpp has their names.
#pragma once

#include <array>

namespace sculpt::core {

struct ExitCode {
  const char* codes;
  const char* meaning;
};

inline constexpr std::array exit_codes = {
    ExitCode{"0", "target reached and certified"},
    ExitCode{"1", "check or verify found a fault"},
    ExitCode{"3", "the model is valid, the target was not reached or not certified"},
    ExitCode{"64", "usage"},
    ExitCode{"65", "data"},
    ExitCode{"66", "missing input"},
    ExitCode{"69", "plugin, or sbatch"},
    ExitCode{"70", "internal"},
    ExitCode{"71", "no memory, process or thread left"},
    ExitCode{"73", "output exists or cannot be created"},
    ExitCode{"74", "a write failed"},
    ExitCode{"78", "experiment"},
    ExitCode{"129, 130, 143", "stopped on request before there was a result"},
    ExitCode{"134, 139", "a crash"},
};

}  // namespace sculpt::core
