#include "problem/loss.hpp"

#include <cmath>

namespace sculpt::core {

double Loss::of(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess) {
  double value = std::nan("");
  component_.call("loss", example, [&](sculpt_error* error) {
    return component_.api<sculpt_loss_api>().loss(sessions_.of(worker), example, truth, guess,
                                                  &value, error);
  });
  if (!std::isfinite(value) || value < 0) {
    component_.refuse(Exit::plugin, example,
                      "the loss is " + std::to_string(value) +
                          "; it must be finite and not "
                          "negative");
  }
  return value;
}

}  // namespace sculpt::core
