#include "objective/log_loss.hpp"

#include <cmath>
#include <utility>

#include "linalg/mean_rounding.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {

LogLoss::LogLoss(const LogLossTerms& terms, ExpectationSource& expectations, CountSource& truths)
    : terms_(terms),
      expectations_(expectations),
      truths_(truths),
      regularizer_(terms.l1, expectations.nonnegative(), expectations.workers()) {}

void LogLoss::evaluate(const Pass& pass, LogLossPoint& point) {
  const double T = terms_.temperature;
  const double C = terms_.C;
  Pass query = pass;
  if (terms_.loss_weight > 0) query.loss_weight = terms_.loss_weight / T;
  expected_.mean.swap(point.gradient);
  expectations_.compute_mean_expectation(at_temperature(point.w), query, expected_);
  expected_.mean.swap(point.gradient);
  if (mean_truth_.empty()) read_truths(expected_.log_z);

  double log_z = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < expected_.log_z.size(); ++i) {
    if (std::isinf(expected_.log_z[i])) continue;  // no output
    const double unit = expectations_.example_weight(static_cast<std::int64_t>(i)) * T;
    const double weighted = unit * expected_.log_z[i];
    log_z += weighted;
    // Where a single output takes all probability, log Z is the logarithm of a number near 1, which
    // rounding changes by its own unit.
    magnitude += std::abs(weighted) + unit;
  }
  const auto n = static_cast<double>(expectations_.example_count());
  Workers* const workers = expectations_.workers();
  const Vector& w = point.w;
  Vector& gradient = point.gradient;
  const double truth_score = sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      gradient[j] = w[j] + C * (gradient[j] - mean_truth_[j]);
      sum += w[j] * mean_truth_[j];
    }
    return sum;
  });
  const double regularization = regularizer_.value(w);
  point.primal = regularization + C * (log_z / n - truth_score);
  point.gap = regularizer_.gap(w, gradient);
  point.rounding = mean_rounding(expectations_.example_count(),
                                 regularization + C * (magnitude / n + std::abs(truth_score)));
  point.no_output_count = no_output_count_;
  point.is_exact = expected_.is_exact;
}

// Sums psi over the truths of the examples that have outputs. The same examples have none at any w.
void LogLoss::read_truths(std::span<const double> log_z) {
  std::vector<std::int64_t> examples;
  for (std::size_t i = 0; i < log_z.size(); ++i) {
    if (!std::isinf(log_z[i])) examples.push_back(static_cast<std::int64_t>(i));
  }
  no_output_count_ = std::ssize(log_z) - std::ssize(examples);
  Vector sum(static_cast<std::size_t>(expectations_.dimension()), 0.0);
  truths_.sum_truths(examples, sum);
  const auto n = static_cast<double>(expectations_.example_count());
  for (double& one : sum) one /= n;
  mean_truth_ = std::move(sum);
}

WeightView LogLoss::at_temperature(const Vector& w) {
  const double T = terms_.temperature;
  if (T == 1) return w;
  scaled_w_.resize(w.size());
  for_each_block(expectations_.workers(), w.size(), [&](auto begin, auto end) {
    for (std::size_t j = begin; j < end; ++j) scaled_w_[j] = w[j] / T;
  });
  return scaled_w_;
}

}  // namespace sculpt::core
