// guarded_call.hpp - the border between the host and C: exceptions become failures and exits.
//
// Every function of libsculpt that can fail runs its body by guarded_call().
#pragma once

#include <sculpt/host/api.h>

#include <cstdint>
#include <functional>
#include <string>

#include "base/failure.hpp"

struct sculpt_failure {
  std::string text;
  std::string advice;
  sculpt_exit exit = SCULPT_EXIT_INTERNAL;
  std::int64_t example = -1;
};

namespace sculpt::core {

// Returns the exit of the body. If it throws, sets *failure to what it threw, and returns that
// exit. `failure` may be NULL. Throws nothing.
sculpt_exit guarded_call(sculpt_failure** failure, const std::function<Exit()>& body) noexcept;

// Throws Failure(Exit::usage) if the pointer is NULL: "sculpt_train: experiment is NULL".
void require_pointer(const void* pointer, const char* function, const char* argument);

// Throws Failure(Exit::usage) unless the count is at least 1.
void require_count(std::int64_t count, const char* function);

}  // namespace sculpt::core
