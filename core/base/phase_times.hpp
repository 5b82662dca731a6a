// phase_times.hpp - how much time a solver spends in each phase.
//
// Measured by RunCounters. launch/ writes it to the events, command/ to the summary. No decision of
// a solver depends on it.
//
// A PhaseClock is in one phase at a time, so nothing is counted twice. If a phase calls code of
// another phase, the first continues after it. Seconds of wall clock on the thread that solves:
// work of the oracle on all threads counts once.
#pragma once

#include <array>
#include <utility>

#include "base/stopwatch.hpp"

namespace sculpt::core {

// The seconds of each phase.
struct PhaseTimes {
  double oracle = 0;     // Asking about examples: argmax, and features and loss of the outputs.
  double sweeps = 0;     // Block steps over the planes found so far.
  double qp = 0;         // The rest of the QP; all of it if there is one block.
  double reduction = 0;  // Planes added to the working set, summed, dropped.
  double writing = 0;    // Events, checkpoints and resume points.
  double rest = 0;
};

using Phase = double PhaseTimes::*;

// The phases that solvers report, in the order of the report.
struct ReportedPhase {
  Phase phase;
  const char* key;   // in events
  const char* text;  // in the summary
};
inline constexpr std::array<ReportedPhase, 4> solver_phases = {{
    {&PhaseTimes::oracle, "oracle_seconds", "oracle"},
    {&PhaseTimes::sweeps, "sweep_seconds", "sweeps"},
    {&PhaseTimes::qp, "qp_seconds", "QP"},
    {&PhaseTimes::reduction, "reduction_seconds", "reduction"},
}};

class PhaseClock {
 public:
  // The times so far. The clock starts in the phase `rest`.
  PhaseTimes times() const {
    PhaseTimes times = times_;
    times.*phase_ += watch_.seconds();
    return times;
  }

  // Ends the current phase and returns it.
  Phase enter(Phase next) {
    times_.*phase_ += watch_.restart();
    return std::exchange(phase_, next);
  }

  // Moves seconds from one phase to another.
  void move(Phase from, Phase to, double seconds) {
    times_.*from -= seconds;
    times_.*to += seconds;
  }

  // Adds the time of the run before it was resumed.
  void add_earlier(Phase phase, double seconds) { times_.*phase += seconds; }

 private:
  PhaseTimes times_;
  Phase phase_ = &PhaseTimes::rest;
  Stopwatch watch_;
};

// Enters a phase for the lifetime of the object. clock == nullptr: does nothing.
class ScopedPhase {
 public:
  ScopedPhase(PhaseClock* clock, Phase phase)
      : clock_(clock), previous_(clock == nullptr ? phase : clock->enter(phase)) {}
  ScopedPhase(PhaseClock& clock, Phase phase) : ScopedPhase(&clock, phase) {}
  ~ScopedPhase() {
    if (clock_ != nullptr) clock_->enter(previous_);
  }
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;

 private:
  PhaseClock* clock_;
  Phase previous_;
};

}  // namespace sculpt::core
