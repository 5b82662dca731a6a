#include "qp/working_set/weight_scaling.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {
namespace {

// Every s gives a valid upper bound. These constants only change how tight it is.
constexpr int max_scaling_steps = 60;
constexpr double value_tolerance = 1e-13;  // as a fraction of the value

}  // namespace

void WeightScaling::clear() {
  b_.clear();
  product_.clear();
  block_ends_.clear();
}

void WeightScaling::add_block(std::span<const double> b, std::span<const double> product) {
  b_.insert(b_.end(), b.begin(), b.end());
  product_.insert(product_.end(), product.begin(), product.end());
  block_ends_.push_back(b_.size());
}

void WeightScaling::add_block(const Block& block, const SlackTerm& term,
                              const std::vector<double>& score) {
  const double slack = term.ridge * block.alpha_sum();
  for (std::size_t p = 1; p < block.size(); ++p) {
    b_.push_back(block.b[p]);
    product_.push_back(block.b[p] - slack - score[p]);
  }
  block_ends_.push_back(b_.size());
}

void WeightScaling::find_factor(const SlackTerm& term, double squared_norm, double largest_b) {
  factor_ = term.is_forbidden() ? min_satisfying_factor() : min_cost_factor(squared_norm, term);
  const double allowed_violation = term.is_forbidden() ? satisfied_tolerance * largest_b : 0;
  slack_.resize(block_ends_.size());
  slack_cost_ = 0;
  for (std::size_t block = 0; block < block_ends_.size(); ++block) {
    slack_[block] = slack_of(block, factor_, nullptr);
    if (slack_[block] <= allowed_violation) continue;
    slack_cost_ += term.is_forbidden() ? infinity : term.cost_increase(0, slack_[block]);
  }
}

// xi(s) of a block, and <w, a> of the plane that attains it, 0 for the zero plane.
double WeightScaling::slack_of(std::size_t block, double factor, double* product) const {
  double slack = 0;
  if (product != nullptr) *product = 0;
  for (std::size_t k = block == 0 ? 0 : block_ends_[block - 1]; k < block_ends_[block]; ++k) {
    const double score = b_[k] - factor * product_[k];
    if (score <= slack) continue;
    slack = score;
    if (product != nullptr) *product = product_[k];
  }
  return slack;
}

// max b / <w, a>. Returns 1 if a plane points away from w, which no s > 0 can satisfy, or if there
// is no plane.
double WeightScaling::min_satisfying_factor() const {
  double factor = 0;
  for (std::size_t k = 0; k < b_.size(); ++k) {
    if (b_[k] <= 0) continue;
    if (product_[k] <= 0) return 1;
    factor = std::max(factor, b_[k] / product_[k]);
  }
  return factor > 0 ? factor : 1;
}

// The function is convex, and quadratic between kinks, where another plane becomes the worst of its
// block. Newton's method finds the minimum between kinks, bisection finds the interval, in turns. s
// = 1 is tried first, so the result is never worse than w.
double WeightScaling::min_cost_factor(double squared_norm, const SlackTerm& term) const {
  if (squared_norm == 0) return 1;
  double lower = 0;
  double upper = infinity;
  double factor = 1;
  double best_factor = 1;
  double min_value = infinity;
  for (int step = 0; step < max_scaling_steps; ++step) {
    double value = 0.5 * factor * factor * squared_norm;
    double slope = factor * squared_norm;
    double curvature = squared_norm;
    for (std::size_t block = 0; block < block_ends_.size(); ++block) {
      double product = 0;
      const double slack = slack_of(block, factor, &product);
      value += term.cost_increase(0, slack);
      slope -= (term.is_linear() ? term.cap : slack / term.ridge) * product;
      if (!term.is_linear()) curvature += product * product / term.ridge;
    }
    if (value < min_value) {
      min_value = value;
      best_factor = factor;
    }
    (slope < 0 ? lower : upper) = factor;
    const double end = std::min(upper, 2 * factor);  // finite
    if (std::abs(slope) * (end - lower) <= value_tolerance * value) break;
    const double newton = factor - slope / curvature;
    const bool bisects = step % 2 == 1 || newton <= lower || newton >= upper;
    factor = bisects ? 0.5 * (lower + end) : newton;
  }
  return best_factor;
}

}  // namespace sculpt::core
