// conversation.hpp - which sequence of calls a session is in. For oracles and map_solvers that
// answer over several calls: frontiers, the k best outputs, samples.
//
// SPDX-License-Identifier: Apache-2.0
//
// Any other call on the session ends the sequence, because it may overwrite the stored state. Call
// end() first in every method. Call begin() last in the method that starts a sequence, after
// everything that can fail. Call require() in the methods that continue it. [worker]
#pragma once

#include "error.hpp"

namespace sculpt {

enum class Talk { none, frontier, k_best, sample };

class Conversation {
 public:
  void begin(Talk talk) { talk_ = talk; }
  void end() { talk_ = Talk::none; }
  // Throws E_INVALID unless the sequence `talk` is under way.
  void require(Talk talk) const {
    if (talk_ == talk) return;
    throw Error(
        SCULPT_E_INVALID,
        "was asked to go on with what it has not begun, or what another call on the session "
        "has ended; begin it again");
  }

 private:
  Talk talk_ = Talk::none;
};

}  // namespace sculpt
