// stopwatch.hpp - wall clock time of a run and of its parts.
//
// Held by Stopping and SplitClock, by launch/, command/ and check/. What it measures is reported;
// of all decisions of a solver only max_seconds looks at it.
#pragma once

#include <chrono>
#include <utility>

namespace sculpt::core {

// Seconds since its making, or since restart().
class Stopwatch {
 public:
  double seconds() const { return between(start_, Clock::now()); }

  // Returns the seconds up to now and begins at 0 again, with nothing in between.
  double restart() {
    const Clock::time_point now = Clock::now();
    return between(std::exchange(start_, now), now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
  }

  Clock::time_point start_ = Clock::now();
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

}  // namespace sculpt::core
