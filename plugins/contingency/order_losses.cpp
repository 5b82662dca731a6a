#include "order_losses.hpp"

namespace contingency {

void OrderLoss::bind(const sculpt::Bindings& bindings) {
  MeasuredLoss::bind(bindings);
  for (std::int64_t example = 0; example < data().input().example_count(); ++example) {
    const sculpt::Labels truth = data().input().truth(example);
    if (!truth.known()) continue;
    const Contingency counted = counted_truth(example, truth);
    if (counted.positive > 0 && counted.negative > 0) continue;
    throw sculpt::data_error("example " + std::to_string(example) + ": the set has no " +
                             (counted.positive == 0 ? "positive rows" : "rows but positive ones") +
                             ", so that no order of it is better than another; take it out");
  }
}

}  // namespace contingency
