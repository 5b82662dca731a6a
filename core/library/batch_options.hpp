// batch_options.hpp - what the functions of batch.h and batch_task.h share: reads their options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "batch/batch_quantity.hpp"

namespace sculpt::core {

// Each throws Failure(Exit::usage) for a wrong argument of `function`.
int batch_threads(const char* function, std::int32_t threads);  // 0: all cores
std::vector<std::filesystem::path> batch_plugin_path(const char* function,
                                                     const char* const* folders,
                                                     std::int64_t count);
// The quantity of a SCULPT_BATCH_* loss.
BatchQuantity loss_quantity(const char* function, std::int32_t loss);

// The function of the caller as one of the host; empty for NULL.
std::function<void(std::int32_t severity, const std::string& text)> batch_log(
    void (*log)(void* user, std::int32_t severity, const char* text), void* user);

}  // namespace sculpt::core
