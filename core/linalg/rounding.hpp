// rounding.hpp - how far rounding may take a value away from the sum that it stands for.
//
// Whoever judges a plugin by the difference of two values asks this, so that no judgement rests on
// what another order of summation could undo. Called by problem/, solver/, verify/ and check/.
//
// A sum of K products is off by at most K u sum |term| to first order, in whatever order it is
// summed, u = 2^-53; so two sums of the same terms differ by at most twice that. Terms may
// themselves be sums that the plugin makes (the score of a row, a cell of a table), and what it
// compares are values that it has summed in a third order: 8 in place of 2.
//
// Below the least normal double, 2.2e-308, u no longer says how far off a product is. There it is
// off by half of the spacing of denormals, 2.5e-324, and by as much once more where it is divided
// by a scale of 1/4 or multiplied by a w; a library that was linked with -ffast-math has switched
// denormals off and gets 0. So each term may be off by 8 times the least normal double besides:
// that covers all of these, w up to 1e15, and is far below any value that counts. (Sums are exact
// down there.)
//
// Values that were subtracted from each other are judged by the terms of both, not by what the
// subtraction has left of them.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition (2002), section 4.2.
#pragma once

#include <limits>
#include <span>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

inline constexpr double unit_roundoff = 0x1p-53;
inline constexpr double least_normal = std::numeric_limits<double>::min();

// The terms that a value was summed from.
struct Terms {
  double size = 0;   // sum of their absolute values
  double count = 0;  // how many there are

  void operator+=(const Terms& other) {
    size += other.size;
    count += other.count;
  }

  // By how much the value may be off.
  double rounding() const { return 8 * count * (unit_roundoff * size + least_normal); }
};

// What a sum of sparse vectors does not show of the terms that it was summed from.
struct CancelledTerms {
  // Of each entry the sum of its absolute terms less its own absolute value, where that is not 0.
  SparseVector size;
  double count = 0;  // of all terms
  bool operator==(const CancelledTerms&) const = default;
};

// The terms of <w, psi>, of a psi that was summed up like this.
inline Terms terms_of(const SparseVector& psi, const CancelledTerms& cancelled,
                      std::span<const double> w) {
  return {absolute_dot(psi, w) + absolute_dot(cancelled.size, w), cancelled.count};
}

// psi, and how it was summed up.
struct FeatureSum {
  SparseVector psi;
  CancelledTerms cancelled;
};

// An upper bound that is no value of an output comes from a numerical method, such as a linear
// program, which is solved until it is this part of its terms away from the optimum. The programs
// of lp, branch_and_bound and clustering_lp end at a tenth of it.
inline constexpr double numerical_part = 1e-9;

}  // namespace sculpt::core
