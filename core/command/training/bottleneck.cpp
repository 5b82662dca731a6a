#include "command/training/bottleneck.hpp"

#include <cmath>
#include <vector>

#include "base/text/message_text.hpp"
#include "linalg/products.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// Up to this fraction of P the slack cost is negligible.
constexpr double vanishing = 1e-3;

// Up to this fraction of P 1/2 ||w||^2 is negligible. The QP changes w by differences of D, which
// has 16 digits.
constexpr double vanishing_norm = 1e-9;

// A larger C leaves no room for slacks: then the advice names C as the cause.
constexpr double large_c = 1e9;

// Up to this relative gap a larger target may be acceptable.
constexpr double acceptable_gap = 0.1;

constexpr std::int64_t many_to_a_weight = 100;

double slack_cost_of(const Result& result) {
  return result.primal - 0.5 * squared_norm(result.w);
}

// True if C is so large that double precision is not enough: the slacks or the norm are lost in the
// rounding of P.
bool is_fault_of_large_c(const Result& result, const AdviceFacts& shape) {
  if (!std::isfinite(shape.C) || shape.C <= large_c) return false;
  return norm_vanishes(result) || slacks_vanish(result) ||
         slack_cost_of(result) <= 2 * result.rounding;
}

std::string smaller_c(const AdviceFacts& shape) {
  return "a smaller C than " + number_text(shape.C);
}

std::string steps_advice(const Result& result, const AdviceFacts& shape) {
  std::vector<std::string> advice;
  const bool fault_of_large_c = is_fault_of_large_c(result, shape);
  if (fault_of_large_c) advice.push_back(smaller_c(shape));
  const bool all_are_large = norm_vanishes(result) && !fault_of_large_c;
  const bool fault_of_columns = shape.columns_differ || all_are_large;
  if (fault_of_columns) advice.push_back(shape.columns.what);
  if (std::isinf(shape.C)) {
    advice.push_back("a finite C");
    return alternatives(std::move(advice));
  }
  const bool other_solver =
      shape.shares_slack ? !shape.suits_one_slack : shape.updated_by != UpdateKind::qp;
  if (shape.is_hinge && other_solver && !fault_of_large_c) advice.push_back("n_slack");
  const bool no_scaling_left = fault_of_columns && !shape.columns.has_another;
  const std::string less = shape.takes_c ? "a smaller C" : "another scale of the features";
  if ((shape.slacks_vanish || no_scaling_left) && !fault_of_large_c) advice.push_back(less);
  if (shape.takes_gap && result.relative_gap <= acceptable_gap) {
    advice.push_back("a larger relative_gap");
  }
  if (advice.empty()) advice.push_back(less);
  return alternatives(std::move(advice));
}

// How precisely the primal is known in spite of rounding, with advice.
std::string rounding_text(const Result& result, const AdviceFacts& shape) {
  const double part = result.rounding / std::abs(result.primal);
  const std::string known = part < 1 ? "the primal is known to +-" + percent_text(part) + " only"
                                     : "no digit of the primal is known";
  std::vector<std::string> advice;
  if (is_fault_of_large_c(result, shape)) advice.push_back(smaller_c(shape));
  advice.push_back(shape.columns.what);
  if (shape.takes_c && !shape.columns.has_another && advice.size() == 1) {
    advice.push_back("a smaller C");
  }
  const std::string comma = advice.size() > 1 ? "," : "";
  return "rounding: terms are so large that " + known + "; " + alternatives(std::move(advice)) +
         comma + " loses fewer digits";
}

// With one argmax there is no search with loose bounds. A list of oracles needs map_solvers, and
// these need a factor graph.
std::string bounds_text(const Result& result, const AdviceFacts& shape) {
  const std::string exact = "a list of oracles that ends in an exact one";
  std::vector<std::string> advice;
  if (!shape.needs_one_argmax) {
    advice.push_back("\"rescaling\": \"margin\" with \"slack_norm\": 1 (one argmax, not a search)");
  } else if (shape.factor_graph) {
    advice.push_back("relaxed answers");
  } else {
    advice.push_back("an oracle with tighter bounds");
  }
  if (shape.factor_graph) advice.push_back(exact);
  const std::string comma = advice.size() > 1 ? "," : "";
  return "the oracle's bounds: the primal of these weights is " + number_text(result.primal_low) +
         " to " + number_text(result.primal) + "; " + alternatives(std::move(advice)) + comma +
         " narrows it";
}

std::string steps_text(const Result& result, const AdviceFacts& shape) {
  const std::string what = shape.updated_by == UpdateKind::qp ? "the QP, which stands still "
                                                              : "single steps, which stand still ";
  const std::string where = result.uncertified_reason == UncertifiedReason::violated
                                ? "before all margins hold: "
                                : "at a gap of " + percent_text(result.relative_gap) + ": ";
  return what + where + steps_advice(result, shape);
}

}  // namespace

bool slacks_vanish(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  return slack_cost_of(result) <= vanishing * result.primal;
}

bool norm_vanishes(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  return 0.5 * squared_norm(result.w) <= vanishing_norm * result.primal;
}

bool suits_one_slack(std::int64_t examples, std::int64_t dimension) {
  return examples / many_to_a_weight >= dimension;
}

std::string bottleneck_text(const Result& result, const RunTimes& times, const AdviceFacts& shape) {
  switch (gap_cause_of(result)) {
    case GapCause::bounds:
      return bounds_text(result, shape);
    case GapCause::rounding:
      return rounding_text(result, shape);
    case GapCause::steps:
      return steps_text(result, shape);
    case GapCause::none:
      break;
  }
  return bottleneck_text(times, shape);
}

}  // namespace sculpt::core
