#include "library/batch_options.hpp"

#include <sculpt/host/batch.h>

#include "batch/graph_arrays.hpp"

namespace sculpt::core {

BatchQuantity loss_quantity(const char* function, std::int32_t loss) {
  switch (loss) {
    case SCULPT_BATCH_HINGE:
      return {function, false, true, true};
    case SCULPT_BATCH_PERCEPTRON:
      return {function, false, true, false};
    case SCULPT_BATCH_LOG_LOSS:
      return {function, true, true, false};
    case SCULPT_BATCH_SOFTMAX_MARGIN:
      return {function, true, true, true};
    default:
      refuse_call(function, "loss is " + std::to_string(loss) +
                                "; it must be one of SCULPT_BATCH_HINGE (0), _PERCEPTRON (1), "
                                "_LOG_LOSS (2) and _SOFTMAX_MARGIN (3)");
  }
}

std::function<void(std::int32_t severity, const std::string& text)> batch_log(
    void (*log)(void* user, std::int32_t severity, const char* text), void* user) {
  if (log == nullptr) return {};
  return [log, user](std::int32_t severity, const std::string& text) {
    log(user, severity, text.c_str());
  };
}

}  // namespace sculpt::core
