#include "qp/stretch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sculpt::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of Newton's method on a piecewise linear derivative; any s is valid, so that none is needed.
constexpr int most_steps = 30;
constexpr double exact_enough = 1e-15;

}  // namespace

void Stretch::clear() {
  b_.clear();
  product_.clear();
  block_ends_.clear();
}

void Stretch::add_block(const Block& block, const SlackTerm& term,
                        const std::vector<double>& score) {
  const double slack = term.ridge * block.mass();
  for (std::size_t p = 1; p < block.size(); ++p) {
    b_.push_back(block.b[p]);
    product_.push_back(block.b[p] - slack - score[p]);
  }
  block_ends_.push_back(b_.size());
}

void Stretch::find(const WorkingSet& working_set, std::vector<double>& slack) {
  const SlackTerm& term = working_set.slack_term();
  factor_ =
      term.is_forbidden() ? least_satisfying() : cheapest(working_set.squared_norm(), term.ridge);
  const double satisfied = term.is_forbidden() ? satisfied_within * working_set.largest_b() : 0;
  slack.resize(block_ends_.size());
  slack_cost_ = 0;
  for (std::size_t block = 0; block < block_ends_.size(); ++block) {
    slack[block] = slack_of(block, factor_, nullptr);
    if (slack[block] <= satisfied) continue;
    slack_cost_ += term.is_forbidden() ? infinity : term.rise(0, slack[block]);
  }
}

// xi(s) of a block, and the product of the plane that attains it, 0 for the zero plane.
double Stretch::slack_of(std::size_t block, double factor, double* product) const {
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

// max b / <w, a>; 1 when a plane turns away from w, which no s > 0 mends, or when there is none.
double Stretch::least_satisfying() const {
  double factor = 0;
  for (std::size_t k = 0; k < b_.size(); ++k) {
    if (b_[k] <= 0) continue;
    if (product_[k] <= 0) return 1;
    factor = std::max(factor, b_[k] / product_[k]);
  }
  return factor > 0 ? factor : 1;
}

// The zero of the derivative, which increases with s: Newton's method, kept between bounds.
double Stretch::cheapest(double squared_norm, double ridge) const {
  if (squared_norm == 0) return 1;
  double below = 0;
  double above = infinity;
  double factor = 1;
  for (int step = 0; step < most_steps; ++step) {
    double slope = factor * squared_norm;
    double curvature = squared_norm;
    for (std::size_t block = 0; block < block_ends_.size(); ++block) {
      double product = 0;
      const double slack = slack_of(block, factor, &product);
      slope -= slack * product / ridge;
      curvature += product * product / ridge;
    }
    (slope < 0 ? below : above) = factor;
    double next = factor - slope / curvature;
    if (next <= below || next >= above) next = 0.5 * (below + std::min(above, 2 * factor));
    if (std::abs(next - factor) <= exact_enough * factor) break;
    factor = next;
  }
  return factor;
}

}  // namespace sculpt::core
