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
  return advice + (advice.empty() ? "" : "or ") + "a smaller C";
}

std::string obstacle_text(Obstacle obstacle, const Result& result, const RunShape& shape) {
  const std::string gap = number_text(result.gap);
  switch (obstacle) {
    case Obstacle::bounds:
      return "the oracle's bounds: the primal of these weights is " +
             number_text(result.primal_low) + " to " + number_text(result.primal) +
             "; relaxed answers, or a list of oracles that ends in an exact one, prove more";
    case Obstacle::rounding:
      return "rounding: sums of terms as large as those of this data are off by up to " +
             number_text(result.rounding) + " of the primal; scaling of the columns keeps digits";
    case Obstacle::steps:
      return (shape.solves_qp ? "the QP, which stands still at a gap of "
                              : "single steps, which stand still at a gap of ") +
             gap + ": " + steps_advice(shape);
    case Obstacle::none:
      break;
  }
  return "";
}

}  // namespace

bool is_optimum_to_rounding(const Result& result) {
  return result.certified && result.relative_gap <= rounding;
}

Obstacle obstacle_of(const Result& result) {
  const bool has_gap = result.certified && std::isfinite(result.gap);
  if (result.reached || !has_gap || is_optimum_to_rounding(result)) return Obstacle::none;
  const double least = most_of_it * result.gap;
  if (result.rounding >= least) return Obstacle::rounding;
  if (result.primal - result.primal_low >= least) return Obstacle::bounds;
  const bool ended = result.stopped_by == StoppedBy::oracle_exhausted;
  return ended && result.restricted_gap >= least ? Obstacle::steps : Obstacle::none;
}

bool slacks_vanish(const Result& result) {
  if (std::isnan(result.dual) || !std::isfinite(result.primal)) return false;
  const double price = result.primal - 0.5 * squared_norm(result.w);
  return price <= vanishing * result.primal;
}

std::string limit_text(const Result& result, const RunTimes& times, const RunShape& shape) {
  const Obstacle obstacle = obstacle_of(result);
  if (obstacle != Obstacle::none) return obstacle_text(obstacle, result, shape);
  return limit_text(times, shape);
}

}  // namespace sculpt::core
