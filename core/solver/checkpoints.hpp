// checkpoints.hpp - what a solver knows of what runs leave behind: the state or the planes to begin
// with, when a checkpoint is wanted, and where it goes.
//
// Called by ResumePoints and the solvers; implemented by launch/, which knows of files, clocks and
// signals.
#pragma once

#include <cstdint>
#include <functional>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

class WorkingSet;

// As it is: a run that starts afresh and leaves none. One thread.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // The state to go on from, read once, before the first pass; nullptr: start afresh.
  virtual StateReader* earlier() { return nullptr; }

  // Of a run that starts afresh: the planes of another one to begin with
  // (solver/cutting_plane/warm_start.hpp), asked for once, and what becomes of them is the
  // solver's; nullptr: none.
  virtual WorkingSet* planes() { return nullptr; }

  // Whether one is wanted now. Asked between two passes, and now and then within; no decision of
  // the solver depends on it.
  virtual bool due() { return false; }

  // The same in the midst of a pass: not where one is wanted after every pass.
  virtual bool due_within_pass() { return due(); }

  // Calls `save` with the stream that keeps it, or does not: a checkpoint that cannot be written
  // ends no run. `reported`: the passes that the listener has heard of in the state saved.
  virtual void write(std::int64_t reported, const std::function<void(StateWriter&)>& save) {
    static_cast<void>(reported);
    static_cast<void>(save);
  }
};

// A state to look at: nothing is written.
class EarlierState : public Checkpoints {
 public:
  explicit EarlierState(StateReader& state) : state_(state) {}
  StateReader* earlier() override { return &state_; }

 private:
  StateReader& state_;
};

}  // namespace sculpt::core
