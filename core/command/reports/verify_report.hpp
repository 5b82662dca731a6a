// verify_report.hpp - prints the results of verify, as text or as JSON.
//
// Called by verify.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/text/text_out.hpp"
#include "verify/verification.hpp"

namespace sculpt::core {

// A short table with reported value, recomputed value and difference. Then what does not agree, and
// what was not verified.
void print_verify_report(TextOut& out, const std::string& run, const ReportedCertificate& reported,
                         const VerificationResult& result);

// The JSON object of verify --json. Its keys are "name", "verified", "certified", "gap_proved",
// "target", "objective", "planes", "oracle_calls", "refuted" and "notes". "primal", "dual", "gap"
// and "relative_gap" are {"reported", "recomputed", "difference"}. A value that does not exist is
// null. A linear system also has "residual". "gap_proved": the primal has an upper bound and
// everything agrees. "certified": also the gap meets the target of the run, "target" or its
// epsilon.
nlohmann::ordered_json verify_report_json(const std::string& run,
                                          const ReportedCertificate& reported,
                                          const VerificationResult& result);

}  // namespace sculpt::core
