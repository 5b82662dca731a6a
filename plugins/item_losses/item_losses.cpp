// item_losses.cpp - losses on the parts of outputs: brackets, base pairs, aligned positions, labels
// that are on.
//
//   m parts match, the guess has p and the truth t
//   f1            1 - 2 m / (p + t)
//   difference    (t - m) + extra (p - m), the parts that only one of the two has
//   missed        1 - m / t, the share of the truth's parts that the guess does not have
//
// Sources: F1, van Rijsbergen 1979, and Tsochantaridis et al., ICML 2004, section 4.4; missed, Yu,
// Joachims, Elber & Pillardy, J. Comput. Biol. 2008.
#include "item_loss.hpp"

namespace item_losses {

class F1 : public ItemLoss<F1> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.f1", "1.0.0", "1 - F1 of the parts of the output",
      "van Rijsbergen 1979; as a loss of trees: Tsochantaridis et al., ICML 2004, section 4.4"};
  static constexpr const char* experiments[] = {R"({
    "name": "f1_of_labels",
    "dataset": {"use": "mlsvml", "train": {"text": "1,2 1:1\n2,3 2:1\n- 3:1\n1,3,4 1:1 2:1\n"}},
    "features": "multilabel", "loss": "f1", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})"};

  double value(double matched, double predicted, double truth) const {
    return std::max(0.0, 1 - share(2 * matched, predicted + truth));
  }
};

class Difference : public LinearItemLoss<Difference> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.difference", "1.1.0",
      "the number of parts that only the truth or only the output has"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("normalize", "false", "divides by the parts of the truth, if it has any"),
      sculpt::real("extra", "1", 0, 1e6,
                   "cost of a part that only the output has; a part that only the truth has costs "
                   "1")};
  static constexpr const char* experiments[] = {R"({
    "name": "difference_of_labels",
    "dataset": {"use": "mlsvml", "train": {"text": "1,2 1:1\n2,3 2:1\n- 3:1\n1,3,4 1:1 2:1\n"}},
    "features": "multilabel", "loss": {"use": "difference", "normalize": true},
    "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})"};

  explicit Difference(const sculpt::Parameters& given)
      : normalize_(given.boolean("normalize")), extra_(given.real("extra")) {}

  double value(double matched, double predicted, double truth) const {
    return std::max(0.0, truth - matched + extra_ * (predicted - matched)) / divisor(truth);
  }
  double count_slopes(std::int64_t example, sculpt::Labels truth, std::span<double> slope) const {
    const double parts = true_parts(example, truth);
    slope[0] = -(1 + extra_) / divisor(parts);
    slope[1] = extra_ / divisor(parts);
    return parts / divisor(parts);
  }

 private:
  // What the loss is divided by.
  double divisor(double truth) const { return normalize_ ? std::max(truth, 1.0) : 1; }

  bool normalize_;
  double extra_;
};

class Missed : public LinearItemLoss<Missed> {
 public:
  static constexpr sculpt::About about{"org.sculpt.missed", "1.0.0",
                                       "the share of the truth's parts that the output misses",
                                       "Q of alignments: Yu, Joachims, Elber and Pillardy, "
                                       "J. Comput. Biol. 2008"};
  static constexpr const char* experiments[] = {R"({
    "name": "missed_labels",
    "dataset": {"use": "mlsvml", "train": {"text": "1,2 1:1\n2,3 2:1\n- 3:1\n1,3,4 1:1 2:1\n"}},
    "features": "multilabel", "loss": "missed", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})"};

  double value(double matched, double, double truth) const {
    return std::max(0.0, 1 - share(matched, truth));
  }
  double count_slopes(std::int64_t example, sculpt::Labels truth, std::span<double> slope) const {
    const double parts = true_parts(example, truth);
    slope[0] = parts > 0 ? -1 / parts : 0;
    slope[1] = 0;
    return parts > 0 ? 1 : 0;
  }
};

}  // namespace item_losses

SCULPT_PLUGIN("item_losses", "1.1.0", "Apache-2.0", sculpt::Loss<item_losses::F1>,
              sculpt::Loss<item_losses::Difference>, sculpt::Loss<item_losses::Missed>)
