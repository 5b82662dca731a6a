// exact_moments.hpp - the moments over all outputs, by an oracle with expectations.
//
// Made by MomentSystem. Vectors are [dimension].
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/moment_objective.hpp"
#include "objective/moments.hpp"
#include "objective/truth_deviations.hpp"

namespace sculpt::core {

class ExactMoments : public Moments {
 public:
  // The sources must outlive this.
  ExactMoments(const MomentTerms& terms, ExpectationSource& expectations, CountSource& truths);

  std::int64_t compute_b(const Pass& pass, Vector& b) override;
  void multiply(const Pass& pass, const Vector& v, Vector& out) override;
  std::int64_t calls_of_b() const override {
    return (terms_.loss_weight > 0 ? 3 : 1) * asked_count_;
  }
  std::int64_t calls_of_product() const override;

 private:
  std::int64_t sum_deviations(const Pass& pass, const std::vector<double>& mean_losses, Vector& b);

  MomentTerms terms_;
  ExpectationSource& expectations_;
  CountSource& truths_;
  std::int64_t asked_count_;
  Vector zero_;                                // the w of the uniform distribution
  std::optional<TruthDeviations> deviations_;  // only soda
};

}  // namespace sculpt::core
