// mean_rounding.hpp - how far rounding may move a mean over examples, such as P.
//
// The terms of n examples are rounded independently of each other, so their errors add up as the
// root of n. The bound of single sums is in rounding.hpp. Called by objective/ and solver/.
#pragma once

#include <cmath>
#include <cstdint>

#include "linalg/rounding.hpp"

namespace sculpt::core {

// `magnitude`: the terms of the mean added up without signs.
inline double mean_rounding(std::int64_t n, double magnitude) {
  return 8 * unit_roundoff * std::sqrt(static_cast<double>(n)) * magnitude;
}

}  // namespace sculpt::core
