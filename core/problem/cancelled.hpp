// cancelled.hpp - what reading, binding and separating throw when the user asked to stop.
//
// Thrown when a component answers SCULPT_E_CANCELLED and between blocks of oracle calls. A command
// that can stop with what it has (train) catches it before Failure.
#pragma once

#include "failure.hpp"

namespace sculpt::core {

class Cancelled : public Failure {
 public:
  Cancelled() : Failure(Exit::not_reached, "stopped on request") {}
};

}  // namespace sculpt::core
