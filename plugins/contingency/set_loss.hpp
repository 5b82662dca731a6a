// set_loss.hpp - what the losses on a set of rows have in common: they are functions of how many
// rows are taken for positive, and of how many of these rightly.
//
// set_losses.hpp has the losses.
#pragma once

#include <sculpt/sculpt.hpp>

#include "measured_loss.hpp"

namespace contingency {

class SetLoss : public MeasuredLoss {
 public:
  static constexpr sculpt_count counts[] = {{"matched", sculpt::unlimited},
                                            {"predicted", sculpt::unlimited}};
  virtual ~SetLoss() = default;

  // Delta of an output with these counts, `matched` at most the positive rows and `predicted` in
  // the range of taken(); >= 0. With all other numbers fixed it grows ever slower with the rows
  // taken wrongly, predicted - matched.
  virtual double value(const Contingency& counted) const = 0;
  // How many rows the outputs take for positive that the loss compares: those of a set with so many
  // positive rows and others. The truth is one of them.
  virtual TakenRange taken(const Contingency& c) const { return {0, c.rows()}; }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const;
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> counted) const;
};

}  // namespace contingency
