// stop_rules.hpp - the rules that end a run, shared by all solvers.
//
// Held by RunCounters. The targets (relative_gap, epsilon) are judged after every pass with a
// certificate, the limits on passes and calls between passes, the clock and the host's request in
// every phase.
#pragma once

#include <cstdint>
#include <optional>

#include "base/stopwatch.hpp"
#include "objective/certificate.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class Stopping {
 public:
  Stopping(const StopOptions& options, const StopRequest& stop) : options_(options), stop_(stop) {}

  // signal or max_seconds, when one of them asks to end now. Any thread.
  std::optional<StoppedBy> interrupted() const;

  // relative_gap: P - D <= relative_gap |P|.
  bool gap_reached(const Certificate& certificate) const;

  // Whether `gap`, seen at a dual D, would do for one of the targets; `epsilon_gap` is the one that
  // epsilon stands for.
  bool gap_would_do(double gap, double dual, double epsilon_gap) const;

  // Whether a plane with this b and low = b - <w, a> is violated beyond its slack: by more than
  // epsilon, or at least by more than `noise`, the rounding of its terms.
  bool violated(double b, double low, double slack, double noise) const;

  // max_passes or max_oracle_calls, when no further pass may begin.
  std::optional<StoppedBy> limit(std::int64_t passes, std::int64_t oracle_calls) const;

  const std::optional<double>& epsilon() const { return options_.epsilon; }
  double relative_gap() const { return options_.relative_gap; }
  double elapsed_seconds() const { return earlier_ + watch_.seconds(); }
  // What the run took before it was resumed.
  void add_earlier(double seconds) { earlier_ += seconds; }

 private:
  StopOptions options_;
  StopRequest stop_;
  Stopwatch watch_;
  double earlier_ = 0;
};

}  // namespace sculpt::core
