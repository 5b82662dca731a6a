// live_line.hpp - the text of the line that a terminal shows while a run makes its passes.
//
// Held by Console:
//   pass 37, gap 0.0123, 1840 calls/s, 52 s; about 2-4 min left
// It knows the goals of the run, and prints nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/stopwatch.hpp"
#include "launch/remaining_time.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// What ends a run. None: the solver has no such rule, or it is off.
struct RunGoals {
  std::optional<double> relative_gap = {};
  std::optional<double> residual = {};
  std::optional<std::int64_t> max_passes = {};
  std::optional<std::int64_t> max_oracle_calls = {};
  std::optional<double> max_seconds = {};
};

class LiveLine {
 public:
  explicit LiveLine(const RunGoals& goals = {})
      : goals_(goals),
        remaining_(goals.relative_gap.value_or(0)),
        remaining_residual_(goals.residual.value_or(0)) {}

  void add(const PassReport& report);
  // `since`: seconds since the last report. Requires a report.
  std::string text(double since) const;

 private:
  struct Mark {
    double seconds;
    std::int64_t passes;
    std::int64_t calls;
  };
  struct Limit {
    const char* name;
    double seconds;  // until it is reached
    bool is_exact;   // not an estimate
  };
  std::string left_text(double since) const;
  std::optional<Limit> first_limit(double since) const;
  double speed(std::int64_t Mark::*count) const;

  RunGoals goals_;
  RemainingTime remaining_;
  RemainingTime remaining_residual_;
  std::deque<Mark> marks_;  // of the last reports
  PassReport last_;
};

}  // namespace sculpt::core
