// conversation.hpp - what a session is in the middle of. For oracles and map_solvers that answer
// over several calls: frontiers, the k best, draws.
//
// SPDX-License-Identifier: Apache-2.0
//
// Every call on a session but those that go on with it ends a conversation, because it may write
// over what the session keeps for it. So: end() first in each call, begin() at the end of the one
// that begins, where nothing can fail any more, and require() in those that go on. [worker]
#pragma once

#include "error.hpp"

namespace sculpt {

enum class Talk { none, frontier, k_best, sample };

class Conversation {
 public:
  void begin(Talk talk) { talk_ = talk; }
  void end() { talk_ = Talk::none; }
  // Throws E_INVALID unless that is under way.
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
