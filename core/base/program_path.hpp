// program_path.hpp - where programs are.
//
// Called by command/new and sweep/slurm.
#pragma once

#include <filesystem>
#include <string>

namespace sculpt::core {

// The folder on the PATH in which a shell finds this program. Empty if there is none. Relative
// entries of the PATH do not count: they are other folders elsewhere.
std::filesystem::path folder_on_path(const std::string& program);

}  // namespace sculpt::core
