#include "objective/exact_moments.hpp"

#include <utility>

#include "objective/log_loss.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {

ExactMoments::ExactMoments(const MomentTerms& terms, ExpectationSource& expectations,
                           CountSource& truths)
    : terms_(terms),
      expectations_(expectations),
      truths_(truths),
      asked_count_(expectations.asks_oracle()
                       ? asked_count(expectations.example_count(), expectations.example_weights())
                       : 0),
      zero_(static_cast<std::size_t>(expectations.dimension()), 0.0) {
  if (terms.adds_deviations) deviations_.emplace(expectations);
}

std::int64_t ExactMoments::compute_b(const Pass& pass, Vector& b) {
  expectations_.require_covariances(zero_, pass);
  const double l = terms_.loss_weight;
  if (l == 0) return sum_deviations(pass, {}, b);
  LossMoments loss;
  expectations_.compute_loss_moments(zero_, pass, loss);
  const std::int64_t no_output_count = sum_deviations(pass, loss.mean, b);
  for_each_block(expectations_.workers(), b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) b[j] -= l * loss.covariance[j];
  });
  return no_output_count;
}

// b = 1/n sum of c_i b_i, for soda with the factor 1 + l mean_losses[i]. Returns the number of
// examples without output.
std::int64_t ExactMoments::sum_deviations(const Pass& pass, const std::vector<double>& mean_losses,
                                          Vector& b) {
  if (deviations_) {
    std::vector<double> factors = mean_losses;
    for (double& factor : factors) factor = 1 + terms_.loss_weight * factor;
    return deviations_->sum(pass, factors, b);
  }
  // It is minus the gradient of the mean log-loss at w = 0.
  LogLossPoint point;
  point.w = zero_;
  LogLoss(LogLossTerms(), expectations_, truths_).evaluate(pass, point);
  b = std::move(point.gradient);
  for_each_block(expectations_.workers(), b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) b[j] = -b[j];
  });
  return point.no_output_count;
}

void ExactMoments::multiply(const Pass& pass, const Vector& v, Vector& out) {
  expectations_.covariance_times(zero_, v, pass, out);
  if (deviations_) deviations_->add_product(pass, v, out);
}

std::int64_t ExactMoments::calls_of_product() const {
  return asked_count_ + (deviations_ ? deviations_->calls_of_product() : 0);
}

}  // namespace sculpt::core
