// cancelled.hpp - what reading, binding and separating throw when the user asked to stop.
//
// Thrown when a component answers SCULPT_E_CANCELLED and between blocks of oracle calls. Solvers
// catch it and end with what they have; elsewhere it ends the command as any Failure does.
#pragma once

#include "failure.hpp"

namespace sculpt::core {

class Cancelled : public Failure {
 public:
  Cancelled() : Failure(Exit::not_reached, "stopped on request") {}
};

}  // namespace sculpt::core
