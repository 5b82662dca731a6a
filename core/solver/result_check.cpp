#include "solver/result_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Tolerance relative to |P| + |D|, for two ways to compute the same value. It is wide, because only
// the solver knows the terms of its sums, whose rounding may exceed any small part of P. The
// solvers of the host check D against P by these terms (certificate.hpp).
constexpr double primal_tolerance = 1e-3;

// For NaN and infinity, for which number_text() returns "-".
std::string value_text(double value) {
  if (std::isnan(value)) return "NaN";
  return std::isinf(value) ? (value > 0 ? "inf" : "-inf") : number_text(value);
}

bool nearly_equal(double a, double b, double allowed) {
  return a == b || std::abs(a - b) <= allowed;
}

// What is wrong with the weights; "" if nothing is.
std::string fault_of_weights(const Vector& w, const ExampleSource& source) {
  if (std::ssize(w) != source.dimension()) {
    return "it has " + std::to_string(w.size()) + " weights, but the features have " +
           std::to_string(source.dimension());
  }
  const auto nonnegative = source.nonnegative();
  for (std::size_t j = 0; j < w.size(); ++j) {
    const bool is_bounded = !nonnegative.empty() && nonnegative[j] != 0;
    if (std::isfinite(w[j]) && (!is_bounded || w[j] >= 0)) continue;
    return "weight " + std::to_string(j) + " is " + value_text(w[j]) +
           (is_bounded ? ", but the features require it to be >= 0" : "");
  }
  return "";
}

// What is wrong with the bounds of P and with D; "" if nothing is.
std::string fault_of_bounds(const Result& result) {
  const double high = result.primal_high.value_or(infinity);
  if (std::isnan(result.primal)) return "its primal is NaN";
  if (result.primal_high && result.primal != high) {
    return "its primal is " + value_text(result.primal) + ", but its primal_high is " +
           value_text(high);
  }
  const double allowed =
      primal_tolerance * (std::abs(high) + std::abs(result.dual)) + 2 * result.rounding;
  if (result.primal_low > high + primal_tolerance * std::abs(high) + 2 * result.rounding) {
    return "its primal_low " + value_text(result.primal_low) + " exceeds its primal_high " +
           value_text(high);
  }
  if (result.dual > high + allowed) {
    return "its dual " + value_text(result.dual) + " exceeds its primal_high " + value_text(high);
  }
  return "";
}

// What is wrong with the gap and the relative gap; "" if nothing is.
std::string fault_of_gap(const Result& result) {
  const bool has_gap = !std::isnan(result.dual) && std::isfinite(result.primal);
  const double gap = has_gap ? std::max(0.0, result.primal - result.dual) : infinity;
  const double magnitude = has_gap ? std::abs(result.primal) + std::abs(result.dual) : 0;
  if (!nearly_equal(result.gap, gap, primal_tolerance * magnitude)) {
    return "its gap is " + value_text(result.gap) + ", but primal - dual is " + value_text(gap);
  }
  const bool has_quotient = result.gap != 0 && std::isfinite(result.gap);
  const double relative_gap = has_quotient ? result.gap / std::abs(result.primal) : result.gap;
  if (!nearly_equal(result.relative_gap, relative_gap, primal_tolerance * relative_gap)) {
    return "its relative gap is " + value_text(result.relative_gap) + ", but gap / |primal| is " +
           value_text(relative_gap);
  }
  return "";
}

// What is wrong with `certified` and `reached`; "" if nothing is.
std::string fault_of_claims(const Result& result, std::optional<double> target) {
  if (result.certified && (!result.primal_high || std::isnan(result.dual))) {
    return std::string("it claims to be certified without a ") +
           (result.primal_high ? "dual" : "primal_high");
  }
  if (result.reached != has_reached_target(result.stopped_by, result.certified)) {
    return std::string("it claims ") + (result.reached ? "" : "not ") + "to have " +
           "reached its target, but it was stopped by " + name_of(result.stopped_by) +
           (result.certified ? ", certified" : ", not certified");
  }
  // The solver may have tested P - D <= target |P| in another way.
  constexpr double target_tolerance = 1e-6;
  if (result.stopped_by == StoppedBy::relative_gap && result.reached && target &&
      result.relative_gap > *target * (1 + target_tolerance)) {
    return "it claims to have reached the target " + value_text(*target) +
           ", but its relative gap is " + value_text(result.relative_gap);
  }
  return "";
}

[[noreturn]] void refuse(const std::string& what, const std::string& solver,
                         const std::string& fault) {
  throw InvalidResult(what + " of the solver " + solver + " is wrong: " + fault +
                      "; no model is written; report it to the author of the solver");
}

}  // namespace

void require_valid(const Result& result, const ExampleSource& source, std::optional<double> target,
                   const std::string& solver) {
  for (const std::string& fault : {fault_of_weights(result.w, source), fault_of_bounds(result),
                                   fault_of_gap(result), fault_of_claims(result, target)}) {
    if (!fault.empty()) refuse("the result", solver, fault);
  }
}

void require_valid(const PassReport& report, std::int64_t previous_pass,
                   const std::string& solver) {
  std::string fault;
  if (report.pass <= previous_pass) {
    fault = "its pass is " + std::to_string(report.pass) +
            ", but the previous report was of pass " + std::to_string(previous_pass);
  } else if (std::min({report.oracle_calls, report.planes, report.active_planes}) < 0) {
    fault = "a count is negative";
  } else if (!(report.elapsed_seconds >= 0)) {
    fault = "its seconds are " + value_text(report.elapsed_seconds);
  } else if (std::isnan(report.best_primal)) {
    fault = "its primal is NaN";
  } else if (report.certified && !(report.gap >= 0)) {
    fault = "it is certified, but its gap is " + value_text(report.gap);
  }
  if (!fault.empty()) refuse("a report", solver, fault);
}

}  // namespace sculpt::core
