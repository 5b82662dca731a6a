// time_split.hpp - where the time of a solver goes.
//
// Kept by RunCounters for the solvers, written to the events by launch/ and to the summary by
// command/. No solver decides by it.
//
// A SplitClock is in one phase at a time, so that nothing is counted twice: what a phase calls into
// may be another phase, and the first goes on behind it. Seconds of wall clock on the one thread
// that solves; what the oracle does on all threads at once counts once.
#pragma once

#include <array>
#include <utility>

#include "base/stopwatch.hpp"

namespace sculpt::core {

// Seconds.
struct TimeSplit {
  double oracle = 0;     // asking about examples: argmax, features and loss of what was found
  double sweeps = 0;     // block steps over the planes found so far
  double qp = 0;         // the rest of the QP; all of it where there is one block
  double reduction = 0;  // planes added to the working set, summed, dropped
  double writing = 0;    // events, checkpoints, and what they remember
  double rest = 0;
};

using Phase = double TimeSplit::*;

// The phases that solvers report, in the order in which they are told.
struct ReportedPhase {
  Phase phase;
  const char* key;   // in events
  const char* text;  // in the summary
};
inline constexpr std::array<ReportedPhase, 4> solver_phases = {{
    {&TimeSplit::oracle, "oracle_seconds", "oracle"},
    {&TimeSplit::sweeps, "sweep_seconds", "sweeps"},
    {&TimeSplit::qp, "qp_seconds", "QP"},
    {&TimeSplit::reduction, "reduction_seconds", "reduction"},
}};

class SplitClock {
 public:
  // Up to now. In `rest` since it was made, until a phase is entered.
  TimeSplit split() const {
    TimeSplit split = split_;
    split.*phase_ += watch_.seconds();
    return split;
  }

  // Ends the phase under way; returns it.
  Phase enter(Phase next) {
    split_.*phase_ += watch_.restart();
    return std::exchange(phase_, next);
  }

  // Seconds that were counted as one phase and belong to another.
  void move(Phase from, Phase to, double seconds) {
    split_.*from -= seconds;
    split_.*to += seconds;
  }

  // What the run took before it was resumed.
  void add_earlier(Phase phase, double seconds) { split_.*phase += seconds; }

 private:
  TimeSplit split_;
  Phase phase_ = &TimeSplit::rest;
  Stopwatch watch_;
};

// A scope that is a phase. clock == nullptr: nobody wants to know.
class InPhase {
 public:
  InPhase(SplitClock* clock, Phase phase)
      : clock_(clock), before_(clock == nullptr ? phase : clock->enter(phase)) {}
  InPhase(SplitClock& clock, Phase phase) : InPhase(&clock, phase) {}
  ~InPhase() {
    if (clock_ != nullptr) clock_->enter(before_);
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  SplitClock* clock_;
  Phase before_;
};

}  // namespace sculpt::core
