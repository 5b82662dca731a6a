// stopping.hpp - the rules that end a run, shared by all solvers.
//
// Called by the solvers. The targets (relative_gap, epsilon) are judged after every pass with a
// certificate, the limits on passes and calls between passes, the clock and the host's request in
// every phase.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "solver/certificate.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Wall clock since its making.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Adds the time of a scope to a total.
class Timed {
 public:
  explicit Timed(double& total) : total_(total) {}
  ~Timed() { total_ += watch_.seconds(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& total_;
  Stopwatch watch_;
};

class Stopping {
 public:
  Stopping(const StopOptions& options, const StopRequest& stop) : options_(options), stop_(stop) {}

  // signal or max_seconds, when one of them asks to end now.
  std::optional<StoppedBy> interrupted() const;

  // relative_gap: P - D <= relative_gap |P|.
  bool gap_reached(const Certificate& certificate) const;

  // max_passes or max_oracle_calls, when no further pass may begin.
  std::optional<StoppedBy> limit(std::int64_t passes, std::int64_t oracle_calls) const;

  const std::optional<double>& epsilon() const { return options_.epsilon; }
  double relative_gap() const { return options_.relative_gap; }
  double elapsed_seconds() const { return watch_.seconds(); }

 private:
  StopOptions options_;
  StopRequest stop_;
  Stopwatch watch_;
};

}  // namespace sculpt::core
