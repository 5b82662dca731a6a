#include "order_losses.hpp"

namespace contingency {

void OrderLoss::bind(const sculpt::Bindings& bindings) {
  LossWithMetrics::bind(bindings);
  data().each_labelled([&](std::int64_t example, auto place) {
    const Contingency outcomes = truth_outcomes(example, data().input().truth(example));
    if (outcomes.positive > 0 && outcomes.negative > 0) return;
    throw sculpt::data_error(place() + ": the set has no " +
                             (outcomes.positive == 0 ? "positive" : "negative") +
                             " rows, so all its orders are equally good; remove the set, or add "
                             "such rows");
  });
}

double OrderLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  data().check(example, guess);
  const Contingency outcomes = truth_outcomes(example, truth);
  if (outcomes.positive == 0 || outcomes.negative == 0) return 0;
  return value(tied_rows(truth, guess));
}

}  // namespace contingency
