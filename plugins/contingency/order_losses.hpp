// order_losses.hpp - losses on the order of a set's rows, some of which are positive.
//
//   roc_area            1 - the share of (positive, negative) pairs in the right order
//   average_precision   1 - the mean of the precision at each positive row
//
// Tied rows count with the mean over all their orders. Called by the host (contingency.cpp) and
// set_oracle.cpp.
#pragma once

#include "interleaving.hpp"
#include "loss_with_metrics.hpp"

namespace contingency {

class OrderLoss : public LossWithMetrics {
 public:
  virtual ~OrderLoss() = default;

  // Throws for sets with rows of only one kind.
  void bind(const sculpt::Bindings& bindings);
  // Returns the loss, 0 for sets with rows of only one kind.
  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const;

  // Requires rows of both kinds.
  virtual double value(std::span<const sculpt::TiedRows> order) const = 0;
  // Finds the best order under the score plus loss_weight times this loss. Returns the loss.
  // Requires both kinds.
  virtual double maximize(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
                          double loss_weight, Interleaving& order) const = 0;
};

class RocArea : public OrderLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.roc_area", "1.0.0",
      "the share of the pairs of a positive and a negative row in the wrong order",
      "Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "roc_area_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "output": "order"}, "loss": "roc_area",
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10}})"};

  double value(std::span<const sculpt::TiedRows> order) const override {
    return 1 - roc_area(order);
  }
  double maximize(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
                  double loss_weight, Interleaving& order) const override {
    order.maximize_roc(positive, negative, loss_weight);
    return order.roc_loss(negative);
  }
};

class AveragePrecision : public OrderLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.average_precision", "1.0.0",
      "1 - the mean over the positive rows of the precision down to each",
      "Yue, Finley, Radlinski and Joachims, SIGIR 2007"};
  static constexpr const char* experiments[] = {R"({
    "name": "average_precision_of_six_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n-1 1:2\n"}},
    "features": {"use": "contingency", "output": "order"}, "loss": "average_precision",
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})"};

  double value(std::span<const sculpt::TiedRows> order) const override {
    return 1 - sculpt::average_precision(order);
  }
  double maximize(const sculpt::RankedRows& positive, const sculpt::RankedRows& negative,
                  double loss_weight, Interleaving& order) const override {
    order.maximize_average_precision(positive, negative, loss_weight);
    return order.average_precision_loss();
  }
};

}  // namespace contingency
