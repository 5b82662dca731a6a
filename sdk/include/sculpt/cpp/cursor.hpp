// cursor.hpp - which sequence of calls a session is in. For oracles and map_solvers that
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

enum class CursorKind { none, frontier, k_best, sample };

class Cursor {
 public:
  void begin(CursorKind kind) { current_ = kind; }
  void end() { current_ = CursorKind::none; }
  // Throws E_INVALID unless the sequence `kind` is under way.
  void require(CursorKind kind) const {
    if (current_ == kind) return;
    throw Error(
        SCULPT_E_INVALID,
        "this sequence of calls has not begun, or another call on the session has ended it; "
        "begin it again");
  }

 private:
  CursorKind current_ = CursorKind::none;
};

}  // namespace sculpt
