// dimension.hpp - how many weights a problem has, and the refusal of none and of too many, which
// the data are to blame for as a rule.
//
// Called by Problem; the advice by train, where memory is too small for so many.
#pragma once

#include <cstdint>
#include <string>

#include "problem/components/dataset.hpp"
#include "problem/components/features.hpp"

namespace sculpt::core {

// From 1 to 2^31 - 1. `path`: of the data, for messages. Requires sealed components. Throws
// Failure: Exit::data where no row has a value; Exit::config.
std::int64_t dimension_of(const Features& features, const Dataset& dataset,
                          const std::string& path);

// Further lines of a message: the row with the largest index, and what to do about it. "": the
// dataset does not tell.
std::string width_advice(const Dataset& dataset);

}  // namespace sculpt::core
