// batch_options.hpp - what the functions of batch.h and batch_task.h share: reads their options.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "batch/batch_quantity.hpp"

namespace sculpt::core {

// The quantity of a SCULPT_BATCH_* loss. Throws Failure(Exit::usage) for another number.
BatchQuantity loss_quantity(const char* function, std::int32_t loss);

// The function of the caller as one of the host; empty for NULL.
std::function<void(std::int32_t severity, const std::string& text)> batch_log(
    void (*log)(void* user, std::int32_t severity, const char* text), void* user);

}  // namespace sculpt::core
