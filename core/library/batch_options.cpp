#include "library/batch_options.hpp"

#include <sculpt/host/batch.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "batch/graph_arrays.hpp"
#include "experiment/experiment_keys.hpp"
#include "library/guarded_call.hpp"

namespace sculpt::core {

int batch_threads(const char* function, std::int32_t threads) {
  if (threads < 0 || threads > max_threads) {
    refuse_call(function, "threads is " + std::to_string(threads) +
                              "; it must be from 0 (all cores) to " + std::to_string(max_threads));
  }
  if (threads > 0) return threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::vector<std::filesystem::path> batch_plugin_path(const char* function,
                                                     const char* const* folders,
                                                     std::int64_t count) {
  std::vector<std::filesystem::path> path;
  if (count > 0) require_pointer(folders, function, "options->plugin_path");
  for (std::int64_t k = 0; k < count; ++k) {
    require_pointer(folders[k], function, "a folder of options->plugin_path");
    path.push_back(std::filesystem::absolute(folders[k]));
  }
  return path;
}

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
