#include "problem/components/loss.hpp"

#include <cmath>

#include "base/text/message_text.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

double Loss::value(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels guess) {
  const double value = compute_value(worker, example, truth, guess);
  if (!component_.services().is_guarded()) return value;
  const double again = compute_value(worker, example, truth, guess);
  if (again == value) return value;
  component_.refuse(Exit::plugin, example,
                    "the loss of the same output is " + number_text(value, 17) +
                        ", and in a second call " + number_text(again, 17));
}

double Loss::compute_value(int worker, std::int64_t example, sculpt_labels truth,
                           sculpt_labels guess) {
  double value = std::nan("");
  const LentLabels lent_truth(component_, "the labels of the truth", truth);
  const LentLabels lent_guess(component_, "the labels of the output", guess);
  component_.call("loss", example, [&](sculpt_error* error) {
    return component_.api<sculpt_loss_api>().loss(
        sessions_.for_worker(worker), example, lent_truth.raw(), lent_guess.raw(), &value, error);
  });
  lent_truth.require_unchanged(example);
  lent_guess.require_unchanged(example);
  if (!std::isfinite(value) || value < 0) {
    component_.refuse(
        Exit::plugin, example,
        "the loss is " + std::to_string(value) + "; it must be finite and not negative");
  }
  return value;
}

}  // namespace sculpt::core
