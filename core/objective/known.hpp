// known.hpp - whether a number that is told is exact, a lower bound or an upper bound.
//
// Called by the solvers for their reports, and wherever a primal or a gap is printed or compared.
#pragma once

#include <cmath>

namespace sculpt::core {

enum class Known { exactly, at_least, at_most };

// Bounds that differ by no more than this part are one number as it is printed: those of an exact
// oracle come from two sums, perhaps in single precision.
constexpr double same_when_printed = 1e-6;

// `high` infinite: nothing bounds the value from above, and `low` is what is told of it. Else
// `high` is, and exactly so if `low` is as much but for the part `within`. An infinite `low` is the
// value.
inline Known known_by(double low, double high, double within = same_when_printed) {
  if (std::isinf(low)) return Known::exactly;
  if (!std::isfinite(high)) return Known::at_least;
  return high - low <= within * std::abs(high) ? Known::exactly : Known::at_most;
}

// "at least ", "at most " or "", in front of the value.
constexpr const char* words_of(Known known) {
  return known == Known::at_least ? "at least " : known == Known::at_most ? "at most " : "";
}

}  // namespace sculpt::core
