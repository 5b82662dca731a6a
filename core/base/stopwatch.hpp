// stopwatch.hpp - wall clock time of a run and of its parts.
//
// Held by StopRules and PhaseClock, by launch/, command/ and check/. Times are only reported. The
// only decision of a solver that depends on them is max_seconds.
#pragma once

#include <chrono>
#include <utility>

namespace sculpt::core {

// Seconds since construction, or since restart().
class Stopwatch {
 public:
  double seconds() const { return seconds_between(start_, Clock::now()); }

  // Returns the seconds so far and starts again at 0. No time is lost in between.
  double restart() {
    const Clock::time_point now = Clock::now();
    return seconds_between(std::exchange(start_, now), now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
  }

  Clock::time_point start_ = Clock::now();
};

// Adds the lifetime of the object to `total`, in seconds.
class ScopedTimer {
 public:
  explicit ScopedTimer(double& total) : total_(total) {}
  ~ScopedTimer() { total_ += watch_.seconds(); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double& total_;
  Stopwatch watch_;
};

}  // namespace sculpt::core
