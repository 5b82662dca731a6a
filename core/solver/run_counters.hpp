// run_counters.hpp - what every solver counts while it runs, and the rules that end the run or a
// pass.
//
// Base of PassController (for the solvers with a working set), of OnlineRun, and of the runs of
// crf, of soda and z_score, and of generative. A solver calls the oracle through ask(), so all
// calls and their time are counted in one place.
#pragma once

#include <cstdint>
#include <optional>

#include "base/cancelled.hpp"
#include "base/file/state_stream.hpp"
#include "base/phase_times.hpp"
#include "objective/example_source.hpp"
#include "solver/solver.hpp"
#include "solver/stop_rules.hpp"

namespace sculpt::core {

class RunCounters {
 public:
  // All arguments must outlive it.
  RunCounters(const StopOptions& options, const ExampleSource& source, const StopRequest& stop);

  // Runs `call_source`, a call of the source about this many examples, in the phase `oracle`.
  // Returns false if it was interrupted.
  template <class CallSource>
  bool ask(std::int64_t examples, CallSource&& call_source);

  // Passes, oracle calls and times so far.
  void fill(PassReport& report) const;
  void fill(Result& result) const;

  // The limit on passes or calls that allows no further pass, if there is one.
  std::optional<StoppedBy> reached_limit() const;
  // The same, as if one more pass were done. It has no calls for examples of weight 0.
  std::optional<StoppedBy> limit_after_next_pass() const;

  const StopRules& stop_rules() const { return stop_rules_; }
  PhaseClock& clock() { return clock_; }
  const PhaseClock& clock() const { return clock_; }
  std::int64_t example_count() const { return example_count_; }  // n
  std::int64_t passes() const { return passes_; }                // finished
  std::int64_t reported_passes() const { return reported_passes_; }
  std::int64_t oracle_calls() const { return oracle_calls_; }

  void save_counts(StateWriter& out) const;
  void load_counts(StateReader& in);
  // The times so far, not those at the last resume point. Work that is repeated after resuming took
  // its time, too.
  void save_times(StateWriter& out) const;
  void load_times(StateReader& in);

 protected:
  // The next pass: its number, and the function that says if it is interrupted.
  Pass next_pass() const;
  void count_pass() { ++passes_; }
  // Adds calls of another source than that of this object.
  void add_calls(std::int64_t calls) { oracle_calls_ += calls; }
  // Subtracts the calls of an interrupted step. Its answers were discarded, so the calls are
  // repeated.
  void subtract_calls(std::int64_t calls) { oracle_calls_ -= calls; }
  void record_report() { reported_passes_ = passes_; }

 private:
  const ExampleSource& source_;
  StopRules stop_rules_;
  PhaseClock clock_;
  std::int64_t example_count_;
  std::int64_t asked_count_;  // examples that the oracle is asked about
  std::int64_t passes_ = 0;
  std::int64_t reported_passes_ = 0;
  std::int64_t oracle_calls_ = 0;
};

// Copies the counts of a pass into the report, as far as the source has such answers.
void fill_answer_counts(const PlaneSource& source, const AnswerCounts& counts, PassReport& report);

template <class CallSource>
bool RunCounters::ask(std::int64_t examples, CallSource&& call_source) {
  if (stop_rules_.interruption()) return false;
  const std::int64_t previous_extra_calls = source_.extra_oracle_calls();
  const double previous_reduction = source_.reduction_seconds();
  try {
    const ScopedPhase phase(clock_, &PhaseTimes::oracle);
    call_source();
  } catch (const Cancelled&) {
    return false;
  }
  clock_.move(&PhaseTimes::oracle, &PhaseTimes::reduction,
              source_.reduction_seconds() - previous_reduction);
  oracle_calls_ += examples + source_.extra_oracle_calls() - previous_extra_calls;
  return true;
}

}  // namespace sculpt::core
