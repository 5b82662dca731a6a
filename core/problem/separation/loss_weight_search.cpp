#include "problem/separation/loss_weight_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {

namespace {

// Best and bound are equal if they differ by at most this fraction.
constexpr double close_enough = 1e-9;
// An answer lies on the known lines if it is at most this fraction above them.
constexpr double last_digits = 1e-12;
// The largest loss_weight asked. Above it, rounding of the loss is larger than the scores. The
// bounds are then at most 1e-9 h^2, 3e-5 h^1.5 and h - 1 + 1e-9, in the order of the header. Here h
// is that of the output found.
constexpr double largest_loss_weight = 1e9;

}  // namespace

double ScoreDifferenceBound::at(double loss) const {
  double least = infinity;
  for (const Line& line : lines_) least = std::min(least, line.at(loss));
  return least;
}

double ScoreDifferenceBound::rounding_at(double loss) const {
  const auto least =
      std::min_element(lines_.begin(), lines_.end(),
                       [loss](const Line& a, const Line& b) { return a.at(loss) < b.at(loss); });
  return least == lines_.end() ? 0 : least->rounding;
}

LossWeightSearch::LossWeightSearch(const Formulation& formulation, int max_calls)
    : formulation_(formulation),
      curve_(formulation.rescaling == Rescaling::margin ? Curve::sum
             : formulation.hard_margin()                ? Curve::height
                                                        : Curve::product),
      power_(formulation.slack_norm == 2 ? 0.5 : 1),
      calls_left_(max_calls),
      loss_weight_(curve_ == Curve::height ? 0 : 1),
      best_(-infinity),
      seen_(-infinity),
      bound_(infinity) {}

std::optional<double> LossWeightSearch::next() const {
  if (done_ || closed_ || calls_left_ == 0) return std::nullopt;
  return loss_weight_;
}

bool LossWeightSearch::add(const Probe& probe, bool truth_outside) {
  --calls_left_;
  ceiling_.add(loss_weight_, probe.high, probe.rounding);
  if (const double bound = bound_at(loss_weight_, 1 + probe.high); bound < bound_) {
    bound_ = bound;
    rounding_ = bound_at(loss_weight_, 1 + probe.high + probe.rounding) - bound;
  }
  const double violation = formulation_.violation(probe.loss, probe.lead);
  const bool better = violation > seen_;
  seen_ = std::max(seen_, violation);
  best_ = truth_outside ? seen_ : std::max(seen_, 0.0);
  // The truth is also a line below F: h = 1, Delta = 0. It is to the left of all other lines.
  if (!truth_outside && !left_) left_ = Line{0, 1, 0};
  update_bracket({loss_weight_, 1 + probe.lead, probe.loss}, probe.rounding);
  const double size = std::max(std::abs(bound_), std::abs(best_));
  closed_ =
      bound_ <= 0 || (std::isfinite(bound_) && bound_ - best_ <= close_enough * size + rounding_);
  return better;
}

// Returns the largest violation of an output with h + loss_weight * Delta <= most.
double LossWeightSearch::bound_at(double loss_weight, double most) const {
  if (std::isinf(most)) return infinity;
  switch (curve_) {
    case Curve::height:
      return std::max(0.0, most);
    case Curve::sum:
      return loss_weight > 0 ? most - 1 + 1 / (4 * loss_weight) : infinity;
    case Curve::product:
      break;
  }
  if (most <= 0) return 0;
  if (loss_weight == 0) return infinity;
  const double loss = power_ * most / ((1 + power_) * loss_weight);
  return std::pow(loss, power_) * most / (1 + power_);
}

// True if the bound, with this line as F, still falls at the line's loss_weight.
bool LossWeightSearch::minimum_is_above(const Line& line) const {
  switch (curve_) {
    case Curve::height:
      return line.loss == 0;
    case Curve::sum:
      return 4 * line.loss_weight * line.loss_weight * line.loss < 1;
    case Curve::product:
      break;
  }
  return power_ * line.height > line.loss_weight * line.loss;
}

// Returns the loss_weight at which the bound is smallest, with this line as F. Infinite if the
// bound falls without end.
double LossWeightSearch::minimum_on(const Line& line) const {
  if (line.loss == 0) return infinity;
  switch (curve_) {
    case Curve::height:
      return 0;
    case Curve::sum:
      return 1 / (2 * std::sqrt(line.loss));
    case Curve::product:
      break;
  }
  return std::max(0.0, power_ * line.height / line.loss);
}

// The same with the larger of two lines as F. The lines cross at most once.
double LossWeightSearch::minimum_between(const Line& left, const Line& right) const {
  if (right.loss <= left.loss) return minimum_on(left.height > right.height ? left : right);
  const double crossing = (left.height - right.height) / (right.loss - left.loss);
  const double on_left = minimum_on(left);
  if (on_left < crossing) return on_left;
  return std::max(crossing, minimum_on(right));
}

// Stores the answer as the new end on its side, and chooses the next loss_weight.
void LossWeightSearch::update_bracket(const Line& found, double noise) {
  const double known = std::max(left_ ? left_->at(loss_weight_) : -infinity,
                                right_ ? right_->at(loss_weight_) : -infinity);
  const double size = std::abs(found.height) + std::abs(found.at(loss_weight_));
  // If only the left end is known and its bound falls without end, lying on its line proves
  // nothing.
  const bool on_the_lines = found.at(loss_weight_) <= known + last_digits * size + noise;
  if (on_the_lines && (right_ || std::isfinite(minimum_on(*left_)))) {
    done_ = true;
    return;
  }
  const bool above = minimum_is_above(found);
  (above ? left_ : right_) = found;
  if (left_ && right_) {
    loss_weight_ = minimum_between(*left_, *right_);
    const double margin = last_digits * right_->loss_weight;
    if (!(loss_weight_ > left_->loss_weight + margin &&
          loss_weight_ < right_->loss_weight - margin))
      done_ = true;
  } else {
    const double least = minimum_on(above ? *left_ : *right_);
    loss_weight_ = std::min(std::isfinite(least) ? least : widened(), largest_loss_weight);
    if (above) widening_ *= widening_;
    if (loss_weight_ == found.loss_weight) done_ = true;
  }
}

// Returns a loss_weight by steps that grow fast. The minimum between is then approached from both
// sides.
double LossWeightSearch::widened() const {
  return loss_weight_ == 0 ? 1 : loss_weight_ * widening_;
}

}  // namespace sculpt::core
