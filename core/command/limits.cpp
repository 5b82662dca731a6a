#include "command/limits.hpp"

#include <cmath>

#include "linalg/products.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

// Of the gap, from which on something is what keeps it open.
constexpr double most_of_it = 0.5;

// Of P, a gap up to which may be all rounding.
constexpr double rounding = 1e-9;

// Of P, up to which the price of the slacks is next to nothing.
constexpr double vanishing = 1e-3;

std::string steps_advice(const RunShape& shape) {
  std::string advice;
  if (shape.columns_differ) advice += "scaling of the columns, ";
  if (!shape.solves_qp || shape.shares_slack) advice += "n_slack, ";
  if (shape.slacks_vanish) advice += "a smaller C, ";
  return advice + (advice.empty() ? "" : "or ") + "a larger relative_gap";
}

std::string cause_text(GapCause cause, const Result& result, const RunShape& shape) {
  const std::string gap = number_text(result.gap);
  switch (cause) {
    case GapCause::bounds:
      return "the oracle's bounds: the primal of these weights is " +
             number_text(result.primal_low) + " to " + number_text(result.primal) +
             "; relaxed answers, or a list of oracles that ends in an exact one, narrow it";
    case GapCause::rounding:
      return "rounding: terms are so large that the primal is known to +-" +
             number_text(result.rounding) +
             " only; columns of one size (scaling) lose fewer digits";
    case GapCause::steps:
      return (shape.solves_qp ? "the QP, which stands still at a gap of "
                              : "single steps, which stand still at a gap of ") +
             gap + ": " + steps_advice(shape);
    case GapCause::none:
      break;
  }
  return "";
}

}  // namespace

bool is_optimum_to_rounding(const Result& result) {
  return result.certified && result.relative_gap <= rounding;
}

GapCause gap_cause_of(const Result& result) {
  const bool has_gap = result.certified && std::isfinite(result.gap);
  if (result.reached || !has_gap || is_optimum_to_rounding(result)) return GapCause::none;
  const double least = most_of_it * result.gap;
  if (result.rounding >= least) return GapCause::rounding;
  if (result.primal - result.primal_low >= least) return GapCause::bounds;
  const bool ended = result.stopped_by == StoppedBy::oracle_exhausted;
  return ended && result.restricted_gap >= least ? GapCause::steps : GapCause::none;
}

bool slacks_vanish(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  const double price = result.primal - 0.5 * squared_norm(result.w);
  return price <= vanishing * result.primal;
}

std::string limit_text(const Result& result, const RunTimes& times, const RunShape& shape) {
  const GapCause cause = gap_cause_of(result);
  if (cause != GapCause::none) return cause_text(cause, result, shape);
  return limit_text(times, shape);
}

}  // namespace sculpt::core
