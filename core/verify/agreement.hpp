// agreement.hpp - how closely numbers that are computed again must agree, and how they are written.
//
// Used by Verification, LogLossVerification and MomentVerification.
#pragma once

#include <string>

#include "verify/verification_result.hpp"

namespace sculpt::core {

// Two ways to sum P may differ by this fraction of P; answers may be in single precision.
inline constexpr double primal_tolerance = 1e-6;

// The same queries at the same w have the same answers, except for this fraction.
inline constexpr double repeated_tolerance = 1e-9;

// With a kernel, a run that did not reach its target may end with scores in single precision.
inline constexpr double rounded_scores_tolerance = 1e-6;

// D is equal to the best D of its run, except for rounding: this fraction of the terms of D.
inline constexpr double dual_tolerance = 1e-9;

// D may exceed P by this fraction of its terms: both tolerances of answers (certificate.cpp).
inline constexpr double gap_tolerance_of_verify = 2e-6;

// A value in a sentence.
std::string verified_text(double value);

// True if two values differ by at most this fraction of the larger one, or are equal.
bool agree(double a, double b, double tolerance = primal_tolerance);

// Why the reported primal, dual and gaps do not fit together; "" if they do.
std::string gap_contradiction(const ReportedCertificate& reported);

}  // namespace sculpt::core
