// loss_with_metrics.hpp - base class of the losses of this library: the data they are bound to, and
// the measures that every run reports. Used by set_loss.hpp and order_losses.hpp.
#pragma once

#include <sculpt/cpp/metric_means.hpp>
#include <sculpt/cpp/truth_cache.hpp>
#include <sculpt/sculpt.hpp>

#include "set_data.hpp"

namespace contingency {

class LossWithMetrics {
 public:
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("error", "share of the rows that are misclassified"),
      sculpt::lower_is_better(
          "balanced_error",
          "mean of the misclassified shares of the positive and of the negative rows"),
      sculpt::higher_is_better(
          "f1",
          "twice the true positives, divided by the positive rows plus those predicted positive"),
      sculpt::higher_is_better("precision",
                               "share of the rows predicted positive that are positive"),
      sculpt::higher_is_better("recall", "share of the positive rows that are predicted positive"),
      sculpt::higher_is_better(
          "break_even",
          "share of positive rows among the first P rows, if the set has P positive rows"),
      sculpt::higher_is_better(
          "roc_area", "share of the pairs of a positive and a negative row in the right order"),
      sculpt::higher_is_better("average_precision",
                               "mean over the positive rows of the precision down to each"),
      sculpt::higher_is_better("precision@10", "share of positive rows among the first 10"),
      sculpt::higher_is_better("recall@10",
                               "share of the positive rows that are among the first 10"),
      sculpt::higher_is_better("precision@100", "share of positive rows among the first 100"),
      sculpt::higher_is_better("recall@100",
                               "share of the positive rows that are among the first 100")};
  // In the order of metrics[].
  enum class Metric {
    error,
    balanced_error,
    f1,
    precision,
    recall,
    break_even,
    roc_area,
    average_precision,
    precision_10,
    recall_10,
    precision_100,
    recall_100
  };
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));

  // Throws unless the dataset has sites with one of two labels each.
  void bind(const sculpt::Bindings& bindings) {
    data_ = SetData(bindings.dataset);
    truths_ = {bindings.dataset,
               [](std::int64_t, sculpt::Labels truth) { return count_outcomes(truth, truth); }};
  }

  // An unknown guess counts as entirely wrong.
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values);
  }

 protected:
  const SetData& data() const { return data_; }
  // Returns the counts of the truth itself as output.
  Contingency truth_outcomes(std::int64_t example, sculpt::Labels truth) const {
    const Contingency* found = truths_.find(example, truth);
    return found != nullptr ? *found : count_outcomes(truth, truth);
  }

 private:
  SetData data_;
  sculpt::TruthCache<Contingency> truths_;
};

}  // namespace contingency
