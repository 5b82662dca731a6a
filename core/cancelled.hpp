// cancelled.hpp - what reading, binding and separating throw when the user asked to stop.
//
// Thrown when a component answers SCULPT_E_CANCELLED and between blocks of oracle calls. Solvers
// catch it and end with what they have; elsewhere it ends the command, and main.cpp answers with
// 128 + the signal as shells do.
#pragma once

#include "failure.hpp"

namespace sculpt::core {

class Cancelled : public Failure {
 public:
  Cancelled() : Failure(Exit::interrupted, "stopped on request, before there was a result") {}
};

}  // namespace sculpt::core
