// cancelled.hpp - what reading, binding and separating throw when the user asked to stop.
//
// Thrown when a component answers SCULPT_E_CANCELLED and between blocks of oracle calls. Solvers
// catch it and end with what they have; elsewhere it ends the command, and main.cpp answers with
// 128 + the signal as shells do.
#pragma once

#include <functional>

#include "base/failure.hpp"

namespace sculpt::core {

class Cancelled : public Failure {
 public:
  Cancelled() : Failure(Exit::interrupted, "stopped on request, before there was a result") {}
};

// Throws Cancelled when it is time to stop. What may take long calls it between two pieces of its
// work, from any thread; it reads a clock at most.
using ThrowIfStopped = std::function<void()>;

}  // namespace sculpt::core
