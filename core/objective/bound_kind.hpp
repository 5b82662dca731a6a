// bound_kind.hpp - whether a number that is told is exact, a lower bound or an upper bound.
//
// Called by the solvers for their reports, and wherever a primal or a gap is printed or compared.
#pragma once

#include <cmath>

namespace sculpt::core {

enum class BoundKind { exact, lower, upper };

// Bounds that differ by no more than this part are one number as it is printed: those of an exact
// oracle come from two sums, perhaps in single precision.
constexpr double same_when_printed = 1e-6;

// `high` infinite: nothing bounds the value from above, and `low` is what is told of it. Else
// `high` is, and exactly so if `low` is as much but for the part `within`. An infinite `low` is the
// value.
inline BoundKind bound_kind_of(double low, double high, double within = same_when_printed) {
  if (std::isinf(low)) return BoundKind::exact;
  if (!std::isfinite(high)) return BoundKind::lower;
  return high - low <= within * std::abs(high) ? BoundKind::exact : BoundKind::upper;
}

// "at least ", "at most " or "", in front of the value.
constexpr const char* bound_prefix(BoundKind known) {
  return known == BoundKind::lower ? "at least " : known == BoundKind::upper ? "at most " : "";
}

}  // namespace sculpt::core
