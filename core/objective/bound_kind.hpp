// bound_kind.hpp - tells if a reported number is exact, a lower bound or an upper bound.
//
// Called by the solvers for their reports, and where a primal or a gap is printed or compared.
#pragma once

#include <cmath>

namespace sculpt::core {

enum class BoundKind { exact, lower, upper };

// Two bounds that differ by at most this fraction are printed as one number. The bounds of an exact
// oracle come from two sums, perhaps in single precision.
constexpr double same_when_printed = 1e-6;

// How a reported number is to be read.
//   lower  `high` is infinite: `low` is reported
//   upper  `high` is reported
//   exact  `low` is infinite, or the bounds differ by at most `tolerance` |high|
inline BoundKind bound_kind_of(double low, double high, double tolerance = same_when_printed) {
  if (std::isinf(low)) return BoundKind::exact;
  if (!std::isfinite(high)) return BoundKind::lower;
  return high - low <= tolerance * std::abs(high) ? BoundKind::exact : BoundKind::upper;
}

// The text before the value: "at least ", "at most " or "".
constexpr const char* bound_prefix(BoundKind kind) {
  return kind == BoundKind::lower ? "at least " : kind == BoundKind::upper ? "at most " : "";
}

}  // namespace sculpt::core
