#include "problem/separation/loss_weight_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {

namespace {

// Best and bound are equal if they differ by at most this fraction.
constexpr double closed_tolerance = 1e-9;
// An answer lies on the known lines if it is at most this fraction above them.
constexpr double line_tolerance = 1e-12;
// The largest loss_weight asked. Above it, rounding of the loss is larger than the scores. The
// bounds are then at most 1e-9 h^2, 3e-5 h^1.5 and h - 1 + 1e-9, in the order of the header. Here h
// is that of the output found.
constexpr double largest_loss_weight = 1e9;

}  // namespace

double ScoreDifferenceBound::at(double loss) const {
  double lowest = infinity;
  for (const Line& line : lines_) lowest = std::min(lowest, line.at(loss));
  return lowest;
}

double ScoreDifferenceBound::rounding_at(double loss) const {
  const auto lowest =
      std::min_element(lines_.begin(), lines_.end(),
                       [loss](const Line& a, const Line& b) { return a.at(loss) < b.at(loss); });
  return lowest == lines_.end() ? 0 : lowest->rounding;
}

LossWeightSearch::LossWeightSearch(const Formulation& formulation, int max_calls)
    : formulation_(formulation),
      curve_(formulation.rescaling == Rescaling::margin ? Curve::sum
             : formulation.is_hard_margin()             ? Curve::height
                                                        : Curve::product),
      power_(formulation.slack_norm == 2 ? 0.5 : 1),
      calls_left_(max_calls),
      loss_weight_(curve_ == Curve::height ? 0 : 1),
      best_(-infinity),
      best_output_(-infinity),
      bound_(infinity) {}

std::optional<double> LossWeightSearch::next_loss_weight() const {
  if (is_finished_ || has_proved_best_ || calls_left_ == 0) return std::nullopt;
  return loss_weight_;
}

bool LossWeightSearch::add_result(const ArgmaxResult& result, bool truth_outside) {
  --calls_left_;
  score_bound_.add(loss_weight_, result.high, result.rounding);
  if (const double bound = bound_at(loss_weight_, 1 + result.high); bound < bound_) {
    bound_ = bound;
    bound_loss_weight_ = loss_weight_;
    rounding_ = bound_at(loss_weight_, 1 + result.high + result.rounding) - bound;
  }
  const bool is_better = add_output(result, truth_outside);
  // The truth is also a line below F: h = 1, Delta = 0. It is to the left of all other lines.
  if (!truth_outside && !left_) left_ = Line{0, 1, 0};
  update_bracket({loss_weight_, 1 + result.score_difference, result.loss}, result.rounding);
  update_proof();
  return is_better;
}

// Returns true if the output violates more than all before.
bool LossWeightSearch::add_output(const ArgmaxResult& result, bool truth_outside) {
  const double violation = formulation_.violation(result.loss, result.score_difference);
  const bool is_better = violation > best_output_;
  best_output_ = std::max(best_output_, violation);
  best_ = truth_outside ? best_output_ : std::max(best_output_, 0.0);
  return is_better;
}

void LossWeightSearch::update_proof() {
  const double magnitude = std::max(std::abs(bound_), std::abs(best_));
  has_proved_best_ = bound_ <= 0 || (std::isfinite(bound_) &&
                                     bound_ - best_ <= closed_tolerance * magnitude + rounding_);
}

std::optional<double> LossWeightSearch::list_loss_weight() const {
  if (has_proved_best_ || std::isinf(bound_)) return std::nullopt;
  return bound_loss_weight_;
}

bool LossWeightSearch::add_listed(const ArgmaxResult& result, bool truth_outside) {
  const bool is_better = add_output(result, truth_outside);
  const double others = bound_at(bound_loss_weight_, 1 + result.high);
  const double bound = std::max(best_, others);
  if (bound < bound_) {
    bound_ = bound;
    rounding_ = bound_at(bound_loss_weight_, 1 + result.high + result.rounding) - others;
  }
  update_proof();
  return is_better;
}

void LossWeightSearch::end_list() {
  bound_ = std::max(best_, 0.0);
  has_proved_best_ = true;
}

// Returns the largest violation of an output with h + loss_weight * Delta <= max_value.
double LossWeightSearch::bound_at(double loss_weight, double max_value) const {
  if (std::isinf(max_value)) return infinity;
  switch (curve_) {
    case Curve::height:
      return std::max(0.0, max_value);
    case Curve::sum:
      return loss_weight > 0 ? max_value - 1 + 1 / (4 * loss_weight) : infinity;
    case Curve::product:
      break;
  }
  if (max_value <= 0) return 0;
  if (loss_weight == 0) return infinity;
  const double loss = power_ * max_value / ((1 + power_) * loss_weight);
  return std::pow(loss, power_) * max_value / (1 + power_);
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
  const double left_minimum = minimum_on(left);
  if (left_minimum < crossing) return left_minimum;
  return std::max(crossing, minimum_on(right));
}

// Stores the answer as the new end on its side, and chooses the next loss_weight.
void LossWeightSearch::update_bracket(const Line& line, double rounding_of_line) {
  const double highest_known = std::max(left_ ? left_->at(loss_weight_) : -infinity,
                                        right_ ? right_->at(loss_weight_) : -infinity);
  const double magnitude = std::abs(line.height) + std::abs(line.at(loss_weight_));
  // If only the left end is known and its bound falls without end, lying on its line proves
  // nothing.
  const bool on_the_lines =
      line.at(loss_weight_) <= highest_known + line_tolerance * magnitude + rounding_of_line;
  if (on_the_lines && (right_ || std::isfinite(minimum_on(*left_)))) {
    is_finished_ = true;
    return;
  }
  const bool is_above = minimum_is_above(line);
  (is_above ? left_ : right_) = line;
  if (left_ && right_) {
    loss_weight_ = minimum_between(*left_, *right_);
    const double margin = line_tolerance * right_->loss_weight;
    if (!(loss_weight_ > left_->loss_weight + margin &&
          loss_weight_ < right_->loss_weight - margin))
      is_finished_ = true;
  } else {
    const double lowest = minimum_on(is_above ? *left_ : *right_);
    loss_weight_ =
        std::min(std::isfinite(lowest) ? lowest : widened_loss_weight(), largest_loss_weight);
    if (is_above) widening_ *= widening_;
    if (loss_weight_ == line.loss_weight) is_finished_ = true;
  }
}

// Returns the next loss_weight in steps that grow fast, until the minimum is passed. After that the
// search approaches it from both sides.
double LossWeightSearch::widened_loss_weight() const {
  return loss_weight_ == 0 ? 1 : loss_weight_ * widening_;
}

}  // namespace sculpt::core
