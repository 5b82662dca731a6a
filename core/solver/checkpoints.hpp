// checkpoints.hpp - how a solver reads and writes checkpoints.
//
// It gives the state, the planes or the weights that a run begins with, says when a checkpoint is
// due, and writes it. Called by ResumePoints and the solvers. Implemented by launch/, which handles
// files, clocks and signals.
#pragma once

#include <cstdint>
#include <functional>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class WorkingSet;

// The default: the run starts from nothing and writes no checkpoint. One thread.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // The state to resume from. Read once, before the first pass. nullptr: start from nothing.
  virtual StateReader* saved_state() { return nullptr; }

  // The planes of another run, for a run that does not resume
  // (solver/cutting_plane/warm_start.hpp). Called once; the solver may move the planes out.
  // nullptr: none.
  virtual WorkingSet* warm_start_planes() { return nullptr; }

  // The weights [dimension] of another run, for a run that does not resume or has made no pass yet.
  // Solvers with planes ask at them in their first pass. Called once; the solver may move them out.
  // nullptr: none.
  virtual Vector* warm_start_weights() { return nullptr; }

  // True if a checkpoint is due now. Called between two passes, and from time to time within a
  // pass. No decision of the solver depends on it.
  virtual bool is_due() { return false; }

  // The same within a pass. False if a checkpoint is written after every pass anyway.
  virtual bool is_due_within_pass() { return is_due(); }

  // Calls `save` with the stream that stores the checkpoint. Does not call it if the checkpoint
  // cannot be written: this does not end the run. `reported_passes`: how many passes of the saved
  // state the listener has a report of.
  virtual void write(std::int64_t reported_passes, const std::function<void(StateWriter&)>& save) {
    static_cast<void>(reported_passes);
    static_cast<void>(save);
  }
};

// A state that is only read: no checkpoint is written.
class ReadOnlyCheckpoints : public Checkpoints {
 public:
  explicit ReadOnlyCheckpoints(StateReader& state) : state_(state) {}
  StateReader* saved_state() override { return &state_; }

 private:
  StateReader& state_;
};

}  // namespace sculpt::core
