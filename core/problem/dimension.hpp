// dimension.hpp - returns the number of weights of a problem, and refuses 0 and numbers that are
// too large. Usually the data are the cause.
//
// Called by Problem. train calls width_advice() if memory is too small for the weights.
#pragma once

#include <cstdint>
#include <string>

#include "problem/components/dataset.hpp"
#include "problem/components/features.hpp"

namespace sculpt::core {

// Returns the number of weights, `least` to 2^31 - 1. `least`: 0 or 1. `path`: the path of the
// data, for messages. Requires sealed components. Throws Failure: Exit::data if no row has a value,
// otherwise Exit::config.
std::int64_t dimension_of(const Features& features, const Dataset& dataset, const std::string& path,
                          std::int64_t least);

// Returns more lines for a message: the row with the largest index, and what to do about it. "":
// the dataset does not report that row.
std::string width_advice(const Dataset& dataset);

}  // namespace sculpt::core
