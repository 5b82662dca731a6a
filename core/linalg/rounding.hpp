// rounding.hpp - how far rounding may move a value from the exact sum.
//
// Every check that compares two values of a plugin uses this bound. So no plugin is refused for a
// difference that another order of summation explains. Called by problem/, solver/, verify/ and
// check/.
//
// The rounding of a sum of K products is at most K u sum |term| to first order, in any order of
// summation, with u = 2^-53. So two sums of the same terms differ by at most twice that. The factor
// is 8 in place of 2 for two reasons. Terms may be sums that the plugin makes (the score of a row,
// a cell of a table). And the plugin compares values that it has summed in a third order.
//
// Below the least normal double, 2.2e-308, u is no bound for the rounding of a product. There the
// error is half of the spacing of denormals, 2.5e-324. It is as much again if the product is
// divided by a scale of 1/4 or multiplied by a w. A library linked with -ffast-math has switched
// denormals off, and gets 0. So each term adds 8 times the least normal double. This covers all of
// these cases, with w up to 1e15, and is far below any value that matters. (Sums of such small
// values are exact.)
//
// If values were subtracted from each other, the terms of both count, not their difference.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition (2002), section 4.2.
#pragma once

#include <limits>
#include <span>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

inline constexpr double unit_roundoff = 0x1p-53;
inline constexpr double min_normal = std::numeric_limits<double>::min();

// The terms of a sum.
struct Terms {
  double magnitude = 0;  // sum of their absolute values
  double count = 0;      // number of terms

  void operator+=(const Terms& other) {
    magnitude += other.magnitude;
    count += other.count;
  }

  // By how much rounding may move the value.
  double rounding() const { return 8 * count * (unit_roundoff * magnitude + min_normal); }
};

// The part of the terms that a sum of sparse vectors does not show.
struct CancellingTerms {
  // For each entry the sum of its absolute terms minus its own absolute value, if that is not 0.
  SparseVector magnitude;
  double count = 0;  // of all terms
  bool operator==(const CancellingTerms&) const = default;
};

// The terms of <w, psi>, for a psi that was summed like this.
inline Terms terms_of(const SparseVector& psi, const CancellingTerms& cancelling,
                      std::span<const double> w) {
  return {absolute_dot(psi, w) + absolute_dot(cancelling.magnitude, w), cancelling.count};
}

// psi, and the terms that cancel in its sum.
struct FeatureSum {
  SparseVector psi;
  CancellingTerms cancelling;
};

// The tolerance of upper bounds from a numerical method such as a linear program. The method is
// solved until it is this part of its terms from the optimum. The programs of lp, branch_and_bound
// and clustering_lp stop at a tenth of it.
inline constexpr double numerical_tolerance = 1e-9;

}  // namespace sculpt::core
