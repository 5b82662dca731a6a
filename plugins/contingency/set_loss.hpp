// set_loss.hpp - what the losses on a set of rows have in common: they are functions of how many
// rows are taken for positive, and of how many of these rightly.
//
// set_losses.hpp has the losses. All report the same measures, which metrics[] lists.
#pragma once

#include <optional>
#include <sculpt/sculpt.hpp>

#include "set_data.hpp"

namespace contingency {

class SetLoss {
 public:
  static constexpr sculpt_count counts[] = {{"matched", sculpt::unlimited},
                                            {"predicted", sculpt::unlimited}};
  static constexpr sculpt_metric metrics[] = {
      {"error", "share of the rows that are told wrongly"},
      {"balanced_error", "mean of the shares of positive rows and of others told wrongly"},
      {"f1", "twice the positive rows found, by those there are and those that are told"},
      {"precision", "share of the rows taken for positive that are"},
      {"recall", "share of the positive rows that are taken for such"},
      {"break_even", "share of positive rows among as many first ones as there are such"},
      {"roc_area", "share of the pairs of a positive row and another in the right order"},
      {"average_precision", "mean over the positive rows of the precision down to them"}};
  static constexpr std::int64_t sum_count = 16;  // of each its sum, and the sets that have it

  virtual ~SetLoss() = default;

  void bind(const sculpt::Bindings& bindings) { data_ = SetData(bindings.dataset, "this loss"); }

  // Delta of an output with these counts, `matched` at most the positive rows; >= 0. With all other
  // numbers fixed it grows ever slower with the rows taken wrongly, predicted - matched.
  virtual double value(const Contingency& counted) const = 0;
  // How many rows the outputs of a set take for positive, where the loss compares no others.
  virtual std::optional<std::int64_t> predicted(const Contingency&) const { return {}; }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const;
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> counted) const;

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;

 protected:
  const SetData& data() const { return data_; }

 private:
  SetData data_;
};

}  // namespace contingency
