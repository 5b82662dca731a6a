#include "objective/exact_moments.hpp"

#include <utility>

#include "objective/log_loss.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {

ExactMoments::ExactMoments(bool adds_deviations, ExpectationSource& expectations,
                           CountSource& truths)
    : expectations_(expectations),
      truths_(truths),
      asked_count_(asked_count(expectations.example_count(), expectations.example_weights())),
      zero_(static_cast<std::size_t>(expectations.dimension()), 0.0) {
  if (adds_deviations) deviations_.emplace(expectations);
}

// b is minus the gradient of the mean log-loss at w = 0.
std::int64_t ExactMoments::compute_b(const Pass& pass, Vector& b) {
  if (deviations_) return deviations_->sum(pass, b);
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
