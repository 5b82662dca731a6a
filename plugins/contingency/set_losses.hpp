// set_losses.hpp - losses on a set of P positive and N negative rows. An output predicts p rows
// positive, a of them correctly.
//
//   f_beta            1 - (1 + beta^2) a / (beta^2 P + p)
//   error_rate        (cost (P - a) + p - a) / (P + N)       cost of the features, 1 unless set
//   balanced_error    ((P - a) / P + (p - a) / N) / 2, a half without rows counts 0
//   break_even        1 - a / P          over the outputs with p = P
//   precision_at      1 - a / p          over the outputs with p >= min(k, P)
//   recall_at         1 - a / P          over the outputs with p <= max(k, P)
//
// Every range contains the truth, p = P. If only p = k were compared, adding a constant to all
// scores would satisfy any margin, because truth and outputs sum different numbers of rows.
// Joachims, ICML 2005, section 4. Called by the host (contingency.cpp) and set_oracle.cpp.
#pragma once

#include <algorithm>

#include "set_features.hpp"
#include "set_loss.hpp"

namespace contingency {

class FBeta : public SetLoss {
 public:
  static constexpr sculpt::About about{"org.sculpt.f_beta", "1.0.0",
                                       "1 - F of the rows predicted positive",
                                       "van Rijsbergen 1979; Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "f_beta_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": {"use": "f_beta", "beta": 0.5},
    "oracle": "contingency", "solver": {"use": "one_slack", "C": 100, "rescaling": "slack"}})"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("beta", "1", 0.001, 1000, "how much more recall counts than precision")};

  explicit FBeta(const sculpt::Parameters& given)
      : beta_squared_(given.real("beta") * given.real("beta")) {}
  double value(const Contingency& c) const override {
    const double whole =
        beta_squared_ * static_cast<double>(c.positive) + static_cast<double>(c.predicted);
    if (whole == 0) return 0;
    // The formula above without the difference from 1, which rounding could make nonzero.
    return (beta_squared_ * static_cast<double>(c.positive - c.matched) +
            static_cast<double>(c.predicted - c.matched)) /
           whole;
  }

 private:
  double beta_squared_;
};

class ErrorRate : public SetLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.error_rate", "1.0.0",
      "the share of misclassified rows, at the costs of the features",
      "Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "error_rate_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": "error_rate",
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10}})"};
  void bind(const sculpt::Bindings& bindings) {
    SetLoss::bind(bindings);
    const auto* features = sculpt::same_library<SetFeatures>(
        bindings.features, sculpt::Features<SetFeatures>::component);
    if (features != nullptr) cost_ = features->cost();
  }
  double value(const Contingency& c) const override {
    return (cost_ * static_cast<double>(c.positive - c.matched) +
            static_cast<double>(c.predicted - c.matched)) /
           static_cast<double>(std::max<std::int64_t>(c.rows(), 1));
  }

 private:
  double cost_ = 1;
};

class BalancedError : public SetLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.balanced_error", "1.0.0",
      "the mean of the misclassified shares of the positive and of the negative rows"};
  static constexpr const char* experiments[] = {R"({
    "name": "balanced_error_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": "balanced_error",
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})"};
  double value(const Contingency& c) const override {
    const auto share = [](std::int64_t part, std::int64_t whole) {
      return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    };
    return (share(c.positive - c.matched, c.positive) +
            share(c.predicted - c.matched, c.negative)) /
           2;
  }
};

class BreakEven : public SetLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.break_even", "1.0.0",
      "the share of negative rows among the first P rows, for P positive rows: 1 - precision where "
      "it equals recall",
      "Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "break_even_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": "break_even",
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10}})"};
  double value(const Contingency& c) const override {
    if (c.positive == 0) return 0;
    return static_cast<double>(c.positive - c.matched) / static_cast<double>(c.positive);
  }
  PredictedRange predicted_range(const Contingency& c) const override {
    return {c.positive, c.positive};
  }
};

// Base class of the two losses on the first k rows.
class TopKLoss : public SetLoss {
 public:
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("k", "10", 1, 1000000000, "how many of the first rows count", "rows")};
  TopKLoss(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), k_(given.integer("k")) {}

  // Throws for sets of the training data with fewer than k rows. Warns for other sets: there all
  // rows count.
  void bind(const sculpt::Bindings& bindings) {
    SetLoss::bind(bindings);
    const sculpt::Range train = data().input().split("train");
    data().each_labelled([&](std::int64_t example, auto place) {
      if (k_ <= data().rows(example)) return;
      const std::string what = place() + ": k is " + std::to_string(k_) + ", but the set has " +
                               std::to_string(data().rows(example)) + " rows";
      if (example >= train.begin && example < train.end) {
        throw sculpt::unsupported_error(what + "; lower k");
      }
      host_.warn(what + "; all of them count");
    });
  }

 protected:
  std::int64_t k() const { return k_; }

 private:
  sculpt::Host host_;
  std::int64_t k_;
};

class PrecisionAt : public TopKLoss {
 public:
  static constexpr sculpt::About about{"org.sculpt.precision_at", "1.0.0",
                                       "1 - precision of at least k rows predicted positive",
                                       "Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "precision_at_2_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": {"use": "precision_at", "k": 2},
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10}})"};
  using TopKLoss::TopKLoss;
  double value(const Contingency& c) const override {
    if (c.predicted == 0) return 0;
    return static_cast<double>(c.predicted - c.matched) / static_cast<double>(c.predicted);
  }
  PredictedRange predicted_range(const Contingency& c) const override {
    return {std::min(k(), c.positive), c.rows()};
  }
};

class RecallAt : public TopKLoss {
 public:
  static constexpr sculpt::About about{"org.sculpt.recall_at", "1.0.0",
                                       "1 - recall of at most k rows predicted positive",
                                       "Joachims, ICML 2005, section 4"};
  static constexpr const char* experiments[] = {R"({
    "name": "recall_at_4_of_seven_rows",
    "dataset": {"use": "svmlight_set",
                "train": {"text": "+1 1:1\n-1 2:1\n+1 1:1 2:1\n-1 3:1\n-1 1:1 3:1\n+1 3:-1\n-1\n"}},
    "features": {"use": "contingency", "bias": true}, "loss": {"use": "recall_at", "k": 4},
    "oracle": "contingency", "solver": {"use": "n_slack", "C": 10}})"};
  using TopKLoss::TopKLoss;
  double value(const Contingency& c) const override {
    if (c.positive == 0) return 0;
    return static_cast<double>(c.positive - c.matched) / static_cast<double>(c.positive);
  }
  PredictedRange predicted_range(const Contingency& c) const override {
    return {0, std::min(std::max(k(), c.positive), c.rows())};
  }
};

}  // namespace contingency
