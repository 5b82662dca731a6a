#include "command/training/bottleneck.hpp"

#include <cmath>
#include <vector>

#include "base/text/message_text.hpp"
#include "command/training/gap_reason.hpp"
#include "linalg/products.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// Up to this fraction of P the slack cost is negligible.
constexpr double negligible_slack = 1e-3;

// Up to this fraction of P 1/2 ||w||^2 is negligible. The QP changes w by differences of D, which
// has 16 digits.
constexpr double negligible_norm = 1e-9;

// A larger C leaves no room for slacks: then the advice names C as the cause.
constexpr double large_c = 1e9;

// From this number of examples for each weight on, one_slack is expected to be faster.
constexpr std::int64_t min_examples_per_weight = 100;

double squared_norm_of(const Result& result) {
  return result.squared_norm ? *result.squared_norm : squared_norm(result.w);
}

// C times the slacks: P - 1/2 ||w||^2.
double slack_cost_of(const Result& result) {
  return result.primal - 0.5 * squared_norm_of(result);
}

// True if C is so large that double precision is not enough: the slacks or the norm are lost in the
// rounding of P.
bool c_is_too_large(const Result& result, const AdviceFacts& facts) {
  if (!std::isfinite(facts.C) || facts.C <= large_c) return false;
  return norm_vanishes(result) || slacks_vanish(result) ||
         slack_cost_of(result) <= 2 * result.rounding;
}

std::string smaller_c_advice(const AdviceFacts& facts) {
  return "a smaller solver.C than " + number_text(facts.C);
}

// The noun after "try" for steps or a QP that make no more progress.
std::string steps_advice(const Result& result, const AdviceFacts& facts) {
  std::vector<std::string> advice;
  const bool large_c_is_cause = c_is_too_large(result, facts);
  if (large_c_is_cause) advice.push_back(smaller_c_advice(facts));
  const bool all_are_large = norm_vanishes(result) && !large_c_is_cause;
  const bool needs_rescaling = facts.columns_differ || all_are_large;
  if (needs_rescaling) advice.push_back(facts.column_advice.noun);
  if (std::isinf(facts.C)) {
    advice.push_back("a finite solver.C");
    return alternatives(std::move(advice));
  }
  const bool other_solver =
      facts.shares_slack ? !facts.suits_one_slack : facts.updated_by != UpdateKind::qp;
  if (facts.is_hinge && other_solver && !large_c_is_cause) advice.push_back("the solver n_slack");
  const bool no_scaling_left = needs_rescaling && !facts.column_advice.can_rescale;
  const std::string smaller_terms =
      facts.has_c ? "a smaller solver.C" : "features with smaller values";
  if ((facts.slacks_vanish || no_scaling_left) && !large_c_is_cause) {
    advice.push_back(smaller_terms);
  }
  if (facts.has_relative_gap && result.relative_gap <= acceptable_gap) {
    advice.push_back("a larger relative_gap");
  }
  if (advice.empty()) advice.push_back(smaller_terms);
  return alternatives(std::move(advice));
}

// How precisely the primal is known despite rounding, with advice.
std::string rounding_text(const Result& result, const AdviceFacts& facts) {
  const double share = result.rounding / std::abs(result.primal);
  const std::string uncertainty = share < 1 ? "the primal is uncertain by " + percent_text(share)
                                            : "the primal has no correct digit";
  std::vector<std::string> advice;
  if (c_is_too_large(result, facts)) advice.push_back(smaller_c_advice(facts));
  advice.push_back(facts.column_advice.noun);
  if (facts.has_c && !facts.column_advice.can_rescale && advice.size() == 1) {
    advice.push_back("a smaller solver.C");
  }
  return "rounding: terms are so large that " + uncertainty + "; to lose fewer digits, try " +
         alternatives(std::move(advice));
}

// What makes no more progress, at which gap, with advice.
std::string steps_text(const Result& result, const AdviceFacts& facts) {
  const std::string subject = facts.updated_by == UpdateKind::qp
                                  ? "the QP, which makes no more progress "
                                  : "single steps, which make no more progress ";
  const std::string where = result.uncertified_reason == UncertifiedReason::violated
                                ? "while margins are still violated"
                                : "at a gap of " + percent_text(result.relative_gap);
  return subject + where + ": try " + steps_advice(result, facts);
}

}  // namespace

bool slacks_vanish(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  return slack_cost_of(result) <= negligible_slack * result.primal;
}

bool norm_vanishes(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  return 0.5 * squared_norm_of(result) <= negligible_norm * result.primal;
}

bool suits_one_slack(std::int64_t examples, std::int64_t dimension) {
  return examples / min_examples_per_weight >= dimension;
}

std::string bottleneck_text(const Result& result, const RunTimes& times, const AdviceFacts& facts) {
  if (result.residual && result.stopped_by == StoppedBy::standstill) {
    return "double precision, in which the residual falls no further: try a larger solver.lambda, "
           "or a larger solver.residual";
  }
  const bool has_hinge = result.hinge.has_value();  // constrained_z_score
  if (result.stopped_by == StoppedBy::standstill && has_hinge && result.primal == 0 &&
      std::isinf(result.relative_gap)) {
    return "the constraints, which leave no w that is better than 0: try a smaller solver.price";
  }
  const bool more_passes_help = result.stopped_by != StoppedBy::oracle_exhausted &&
                                result.stopped_by != StoppedBy::relative_gap &&
                                result.stopped_by != StoppedBy::residual;
  if (!more_passes_help && !result.reached &&
      result.uncertified_reason == UncertifiedReason::no_upper_bound) {
    return no_bound_text(result, facts);
  }
  switch (gap_cause_of(result)) {
    case GapCause::bounds:
      return bounds_text(result, facts);
    case GapCause::rounding:
      return rounding_text(result, facts);
    case GapCause::steps:
      return steps_text(result, facts);
    case GapCause::none:
      break;
  }
  return bottleneck_text(times, facts);
}

}  // namespace sculpt::core
