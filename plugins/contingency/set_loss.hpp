// set_loss.hpp - base class of the losses on a set of rows. They are functions of the number of
// rows predicted positive, and of how many of these are correct.
//
// set_losses.hpp has the losses. Called by set_oracle.cpp.
#pragma once

#include <sculpt/sculpt.hpp>

#include "loss_with_metrics.hpp"

namespace contingency {

class SetLoss : public LossWithMetrics {
 public:
  static constexpr sculpt_count counts[] = {sculpt::counted("matched"),
                                            sculpt::counted("predicted")};
  virtual ~SetLoss() = default;

  // Returns Delta >= 0 of an output with these counts. Requires `matched` at most the number of
  // positive rows, and `predicted` in predicted_range(). With all other numbers fixed, it is
  // concave in the number of false positives, predicted - matched.
  virtual double value(const Contingency& outcomes) const = 0;
  // Returns the numbers of rows predicted positive of the outputs that the loss compares, for a set
  // with this many positive and negative rows. The range contains the truth.
  virtual PredictedRange predicted_range(const Contingency& c) const { return {0, c.rows()}; }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const;
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> outcomes) const;
};

}  // namespace contingency
