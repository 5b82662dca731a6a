// cancelled.hpp - the exception for a request of the user to stop.
//
// Thrown if a component returns SCULPT_E_CANCELLED, and between blocks of oracle calls. Solvers
// catch it and end with their current result. Elsewhere it ends the command: library/program.cpp
// returns 128 + the signal, as shells do.
#pragma once

#include <functional>

#include "base/failure.hpp"

namespace sculpt::core {

class Cancelled : public Failure {
 public:
  Cancelled() : Failure(Exit::interrupted, "stopped on request, before there was a result") {}
};

// Throws Cancelled if the run must stop. Long work calls it between two parts, from any thread. It
// is cheap: it reads a clock at most.
using ThrowIfStopped = std::function<void()>;

}  // namespace sculpt::core
