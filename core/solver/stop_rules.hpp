// stop_rules.hpp - the rules that end a run, shared by all solvers.
//
// Held by RunCounters. The targets (relative_gap, epsilon) are checked after every pass with a
// certificate. The limits on passes and calls are checked between passes. The clock and the host's
// request to stop are checked in every phase.
#pragma once

#include <cstdint>
#include <optional>

#include "base/stopwatch.hpp"
#include "objective/certificate.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class StopRules {
 public:
  // `ranks`: those that share the run, which outlive this; nullptr: none. The clock of the first
  // one decides.
  StopRules(const StopOptions& options, const StopRequest& stop, Ranks* ranks = nullptr);
  ~StopRules();
  StopRules(const StopRules&) = delete;  // the ranks refer to it
  StopRules& operator=(const StopRules&) = delete;

  // Returns signal or max_seconds if the run must end now. Any thread.
  std::optional<StoppedBy> interruption() const;

  // True if P - D <= relative_gap |P|.
  bool has_reached_gap(const Certificate& certificate) const;

  // True if `gap`, measured at a dual D, would reach one of the targets. `epsilon_gap`: the gap
  // that corresponds to epsilon.
  bool would_reach_target(double gap, double dual, double epsilon_gap) const;

  // True if a plane with this b and violation = b - <w, a> is violated beyond its slack. The
  // violation must exceed the slack by more than epsilon, and by more than `rounding`, the rounding
  // of its terms. `weight`: that of the plane (Formulation::plane_weight), by which epsilon is
  // multiplied.
  bool is_violated(double b, double violation, double slack, double rounding,
                   double weight = 1) const;

  // Returns max_passes or max_oracle_calls if no further pass may begin.
  std::optional<StoppedBy> reached_limit(std::int64_t passes, std::int64_t oracle_calls) const;

  const std::optional<double>& epsilon() const { return options_.epsilon; }
  double relative_gap() const { return options_.relative_gap; }
  double elapsed_seconds() const { return earlier_seconds_ + watch_.seconds(); }
  // Adds the time of the run before it was resumed.
  void add_earlier_seconds(double seconds) { earlier_seconds_ += seconds; }

 private:
  bool time_is_over() const;

  StopOptions options_;
  Ranks* ranks_;
  StopRequest stop_requested_;
  Stopwatch watch_;
  double earlier_seconds_ = 0;
};

}  // namespace sculpt::core
