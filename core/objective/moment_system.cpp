#include "objective/moment_system.hpp"

#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "objective/log_loss.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// <v, Cov v> may be negative by this fraction of its factors: oracles may work in single precision.
constexpr double covariance_tolerance = 1e-6;

}  // namespace

MomentSystem::MomentSystem(const MomentTerms& terms, ExpectationSource& expectations,
                           CountSource& truths)
    : terms_(terms),
      expectations_(expectations),
      truths_(truths),
      zero_(static_cast<std::size_t>(expectations.dimension()), 0.0) {}

// b is minus the gradient of the mean log-loss at w = 0.
std::int64_t MomentSystem::compute_b(const Pass& pass, Vector& b) {
  LogLossPoint point;
  point.w = zero_;
  LogLoss(LogLossTerms(), expectations_, truths_).evaluate(pass, point);
  b = std::move(point.gradient);
  for_each_block(workers(), b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) b[j] = -b[j];
  });
  return point.no_output_count;
}

void MomentSystem::multiply(const Pass& pass, const Vector& v, Vector& out) {
  expectations_.covariance_times(zero_, v, pass, out);
  require_positive(v, out);
  if (terms_.adds_deviations) {
    expectations_.truth_deviations_times(zero_, v, pass, deviation_);
    for_each_block(workers(), out.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) out[j] += deviation_[j];
    });
  }
  const double lambda = terms_.lambda;
  if (lambda == 0) return;
  for_each_block(workers(), out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) out[j] += lambda * v[j];
  });
}

void MomentSystem::require_positive(const Vector& v, const Vector& product) const {
  const double form = dot_in_blocks(workers(), v, product);
  if (form >= 0) return;
  const double lengths = std::sqrt(dot_in_blocks(workers(), v, v)) *
                         std::sqrt(dot_in_blocks(workers(), product, product));
  if (form >= -covariance_tolerance * lengths) return;
  expectations_.report_contradiction(
      -1, "its Cov[psi] v is wrong: for some v the variance of <v, psi> is " +
              number_text(form, 9) + ", but no variance is negative");
}

double MomentPoint::dual(double lambda) const {
  if (lambda == 0) return std::numeric_limits<double>::quiet_NaN();
  return primal - squared_residual / (2 * lambda);
}

MomentPoint moment_point(Workers* workers, const Vector& w, const Vector& b, const Vector& r) {
  MomentPoint point;
  point.primal = -0.5 * sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += w[j] * (b[j] + r[j]);
    return sum;
  });
  point.magnitude = sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      sum += std::abs(w[j]) * (std::abs(b[j]) + std::abs(b[j] - r[j]));
    }
    return sum;
  });
  point.squared_residual = dot_in_blocks(workers, r, r);
  return point;
}

}  // namespace sculpt::core
