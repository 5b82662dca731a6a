#include "order_losses.hpp"

namespace contingency {

void OrderLoss::bind(const sculpt::Bindings& bindings) {
  LossWithMetrics::bind(bindings);
  data().each_labelled([&](std::int64_t example, auto place) {
    const Contingency counted = counted_truth(example, data().input().truth(example));
    if (counted.positive > 0 && counted.negative > 0) return;
    throw sculpt::data_error(place() + ": the set has no " +
                             (counted.positive == 0 ? "positive rows" : "rows but positive ones") +
                             ", so that no order of it is better than another; take it out, or "
                             "add some");
  });
}

double OrderLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  data().check(example, guess);
  const Contingency counted = counted_truth(example, truth);
  if (counted.positive == 0 || counted.negative == 0) return 0;
  return value(tied_rows(truth, guess));
}

}  // namespace contingency
