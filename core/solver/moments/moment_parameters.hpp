// moment_parameters.hpp - the parameters of soda, z_score and constrained_z_score that choose exact
// moments or those of samples.
#pragma once

#include <cstdint>
#include <string>

#include "solver/parameter_tables.hpp"

namespace sculpt::core {

ParameterTable sample_parameters();
// The number of samples of each example; 0: exact moments. Throws Failure(Exit::config) if samples
// are set for exact moments. `solver`: its name.
std::int64_t samples_of(const ParameterValues& values, const std::string& solver);

}  // namespace sculpt::core
