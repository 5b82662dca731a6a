#include "solver/crf/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double sufficient_slope = 0.9;

// A step without an upper end of the bracket grows by this factor.
constexpr double growth = 4;
// The next trial stays away from both ends of the bracket by this fraction of it.
constexpr double margin_of_bracket = 0.1;
// After so many trials only rounding is left.
constexpr std::int64_t max_trials = 60;

}  // namespace

void LineSearch::begin(double primal, double slope, double step) {
  start_ = low_ = {0, primal, slope};
  high_ = {infinity, 0, 0};
  step_ = step;
  trials_ = 0;
}

bool LineSearch::accepts(const Trial& trial) {
  ++trials_;
  const bool knows_slope = !std::isnan(trial.slope);
  const double change = trial.primal - start_.primal;
  const bool slope_is_risen = !knows_slope || trial.slope >= sufficient_slope * start_.slope;
  const bool is_rounding = std::abs(change) <= trial.rounding;
  const bool falls = change <= sufficient_decrease * trial.decrease;
  if (falls && slope_is_risen) return true;
  if (is_rounding && knows_slope && slope_is_risen &&
      trial.slope <= (2 * sufficient_decrease - 1) * start_.slope) {
    return true;
  }
  const bool is_too_long = knows_slope && is_rounding ? trial.slope > 0 : !falls;
  (is_too_long ? high_ : low_) = {step_, trial.primal, trial.slope};
  step_ = next_step();
  return false;
}

// The minimum of the cubic with the primal and slope of both ends, kept inside the bracket.
double LineSearch::next_step() const {
  if (std::isinf(high_.step)) return growth * step_;
  const double width = high_.step - low_.step;
  if (std::isnan(high_.slope)) return low_.step + 0.5 * width;
  const double mean_slope = (high_.primal - low_.primal) / width;
  const double theta = low_.slope + high_.slope - 3 * mean_slope;
  const double discriminant = theta * theta - low_.slope * high_.slope;
  double share = 0.5;
  if (discriminant >= 0) {
    const double root = std::sqrt(discriminant);
    const double denominator = high_.slope - low_.slope + 2 * root;
    if (denominator > 0) share = 1 - (high_.slope + root - theta) / denominator;
  }
  if (!std::isfinite(share)) share = 0.5;
  return low_.step + std::clamp(share, margin_of_bracket, 1 - margin_of_bracket) * width;
}

bool LineSearch::is_stuck() const {
  return trials_ >= max_trials || !std::isfinite(step_) ||
         (std::isfinite(high_.step) && high_.step - low_.step <= 1e-15 * high_.step);
}

void LineSearch::save(StateWriter& out) const {
  for (const End* const end : {&start_, &low_, &high_}) {
    for (const double value : {end->step, end->primal, end->slope}) out.put(value);
  }
  out.put(step_);
  out.put(trials_);
}

void LineSearch::load(StateReader& in) {
  for (End* const end : {&start_, &low_, &high_}) {
    for (double* const value : {&end->step, &end->primal, &end->slope}) *value = in.get<double>();
    in.require(end->step >= 0, "a step that is negative or no number");
  }
  step_ = in.get<double>();
  in.require(step_ >= 0 && std::isfinite(step_), "a step that is negative or not finite");
  trials_ = in.get_count();
}

}  // namespace sculpt::core
