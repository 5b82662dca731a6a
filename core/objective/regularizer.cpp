#include "objective/regularizer.hpp"

#include <algorithm>
#include <cmath>

#include "parallel/blocks.hpp"

namespace sculpt::core {

double Regularizer::value(const Vector& w) const {
  return sum_over_blocks(workers_, w.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += w[j] * (0.5 * w[j]) + l1_ * std::abs(w[j]);
    return sum;
  });
}

double Regularizer::gap(const Vector& w, const Vector& gradient) const {
  return sum_over_blocks(workers_, w.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    if (is_smooth()) {
      for (std::size_t j = begin; j < end; ++j) sum += gradient[j] * (0.5 * gradient[j]);
    } else {
      for (std::size_t j = begin; j < end; ++j) sum += gap_of(j, w[j], gradient[j]);
    }
    return sum;
  });
}

// The term of coordinate j: 1/2 (w - s)^2 + (g |w| - w (v - s)). Both parts are >= 0. The
// difference of w and s is computed from the gradient, because v = w - gradient may round it away.
double Regularizer::gap_of(std::size_t j, double w, double gradient) const {
  const double v = w - gradient;
  const bool is_above = v > l1_;
  const bool is_below = v < -l1_ && !is_bounded(j);
  if (!is_above && !is_below) {  // s = 0
    return 0.5 * w * w + std::max(0.0, l1_ * std::abs(w) - w * v);
  }
  const double side = is_above ? 1 : -1;
  const double distance = gradient + side * l1_;  // w - s
  return 0.5 * distance * distance + l1_ * (std::abs(w) - side * w);
}

}  // namespace sculpt::core
