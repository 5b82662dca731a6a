#include "verify/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {

std::string verified_text(double value) {
  constexpr int digits = 9;
  return number_text(value, digits);
}

bool agree(double a, double b, double tolerance) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

std::string gap_contradiction(const ReportedCertificate& reported) {
  if (!std::isfinite(reported.primal) || std::isnan(reported.dual)) return "";
  const double gap = std::max(0.0, reported.primal - reported.dual);
  const double relative = gap == 0 ? 0 : gap / std::abs(reported.primal);  // or infinite
  const double magnitude = std::abs(reported.primal) + std::abs(reported.dual);
  if (!(std::abs(reported.gap - gap) <= dual_tolerance * magnitude)) {
    return "gap: reported " + verified_text(reported.gap) +
           ", but the reported primal and dual differ by " + verified_text(gap);
  }
  if (reported.relative_gap == relative) return "";
  if (!(std::abs(reported.relative_gap - relative) <= dual_tolerance * (1 + relative))) {
    return "relative gap: reported " + verified_text(reported.relative_gap) +
           ", but the reported primal and dual give " + verified_text(relative);
  }
  return "";
}

double VerificationResult::gap() const {
  return dual ? std::max(0.0, primal - dual->value) : infinity;
}

double VerificationResult::relative_gap() const {
  const double gap = this->gap();
  return gap == 0 || gap == infinity ? gap : gap / std::abs(primal);
}

bool VerificationResult::reaches_target(const ReportedCertificate& reported) const {
  if (residual) {  // two computations of it agree, but for rounding
    return contradictions.empty() && (reported.reached || *residual <= reported.target);
  }
  if (!certified) return false;
  const double magnitude = std::abs(primal);
  if (reported.by_epsilon || gap() <= reported.target * magnitude) return true;
  // A run that just met its target may seem to miss it by rounding. The excess is limited.
  const double allowed = std::max(reported.target, primal_tolerance) * magnitude;
  return reported.reached && gap() <= reported.target * magnitude + std::min(gap_rounding, allowed);
}

}  // namespace sculpt::core
