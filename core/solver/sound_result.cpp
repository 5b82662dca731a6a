#include "solver/sound_result.hpp"

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/message_text.hpp"

namespace sculpt::core {
namespace {

// Of P and D, by which two ways to compute the same may differ. Solvers, who know the terms they
// have summed up, hold D against P far more closely (certificate.hpp).
constexpr double tolerance = 1e-3;

// number_text() says "-" of both.
std::string figure(double value) {
  if (std::isnan(value)) return "NaN";
  return std::isinf(value) ? (value > 0 ? "inf" : "-inf") : number_text(value);
}

bool agree(double a, double b, double size) {
  return a == b || std::abs(a - b) <= tolerance * size;
}

// What is wrong with the weights; "": nothing.
std::string fault_of_weights(const Vector& w, std::int64_t dimension,
                             std::span<const std::uint8_t> nonnegative) {
  if (std::ssize(w) != dimension) {
    return "it has " + std::to_string(w.size()) + " weights for features of " +
           std::to_string(dimension);
  }
  for (std::size_t j = 0; j < w.size(); ++j) {
    const bool is_bounded = !nonnegative.empty() && nonnegative[j] != 0;
    if (std::isfinite(w[j]) && (!is_bounded || w[j] >= 0)) continue;
    return "weight " + std::to_string(j) + " is " + figure(w[j]) +
           (is_bounded ? ", and the features keep it from being negative" : "");
  }
  return "";
}

std::string fault_of_bounds(const Result& result) {
  const double high = result.primal_high.value_or(infinity);
  if (std::isnan(result.primal)) return "its primal is NaN";
  if (result.primal_high && result.primal != high) {
    return "its primal is " + figure(result.primal) + ", its primal_high " + figure(high);
  }
  const double size = std::abs(high) + std::abs(result.dual);
  const double rounding = 2 * result.rounding;
  if (result.primal_low > high && !agree(result.primal_low, high, size + rounding)) {
    return "its primal_low " + figure(result.primal_low) + " exceeds its primal_high " +
           figure(high);
  }
  if (result.dual > high + tolerance * size + rounding) {
    return "its dual " + figure(result.dual) + " exceeds its primal_high " + figure(high);
  }
  return "";
}

std::string fault_of_gap(const Result& result) {
  const bool has_gap = !std::isnan(result.dual) && std::isfinite(result.primal);
  const double gap = has_gap ? std::max(0.0, result.primal - result.dual) : infinity;
  const double size = has_gap ? std::abs(result.primal) + std::abs(result.dual) : 0;
  if (!agree(result.gap, gap, size)) {
    return "its gap is " + figure(result.gap) + ", primal - dual is " + figure(gap);
  }
  const bool has_part = result.gap != 0 && std::isfinite(result.gap);
  const double part = has_part ? result.gap / std::abs(result.primal) : result.gap;
  if (!agree(result.relative_gap, part, part)) {
    return "its relative gap is " + figure(result.relative_gap) + ", gap / |primal| is " +
           figure(part);
  }
  return "";
}

std::string fault_of_claims(const Result& result) {
  if (result.certified && (!result.primal_high || std::isnan(result.dual))) {
    return std::string("it claims to be certified without a ") +
           (result.primal_high ? "dual" : "primal_high");
  }
  if (result.reached != has_reached(result.stopped_by, result.certified)) {
    return std::string("it claims ") + (result.reached ? "" : "not ") + "to have " +
           "reached its target, stopped by " + name_of(result.stopped_by) +
           (result.certified ? ", certified" : ", not certified");
  }
  return "";
}

}  // namespace

void require_sound(const Result& result, std::int64_t dimension,
                   std::span<const std::uint8_t> nonnegative, const std::string& solver) {
  for (const std::string& fault :
       {fault_of_weights(result.w, dimension, nonnegative), fault_of_bounds(result),
        fault_of_gap(result), fault_of_claims(result)}) {
    if (fault.empty()) continue;
    throw Failure(Exit::internal, "the result of the solver " + solver + " is wrong: " + fault +
                                      "; no model is written; tell who wrote the solver");
  }
}

}  // namespace sculpt::core
