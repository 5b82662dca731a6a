// verify_report.hpp - what verify found, for people and for programs.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "verify/verification.hpp"

namespace sculpt::core {

// A short table: reported, recomputed, difference; what does not agree, and what was not verified.
void print_verified(std::ostream& out, const std::string& run, const ReportedCertificate& reported,
                    const VerificationResult& verified);

// {"name", "verified", "certified", "gap_proved", "target", "objective", "primal": {"reported",
// "recomputed", "difference"}, "dual", "gap", "relative_gap": likewise, "planes", "oracle_calls",
// "refuted", "notes"}; null where there is nothing. "gap_proved": the primal has an upper bound and
// all agrees. "certified": and the gap is what the run was to reach, "target" or its epsilon.
nlohmann::ordered_json verified_json(const std::string& run, const ReportedCertificate& reported,
                                     const VerificationResult& verified);

}  // namespace sculpt::core
