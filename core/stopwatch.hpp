// stopwatch.hpp - wall clock time of a run and of its parts.
//
// Called by command/ and solver/. What it measures is reported; of all decisions only max_seconds
// looks at it.
#pragma once

#include <chrono>

namespace sculpt::core {

// Seconds since its making.
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

}  // namespace sculpt::core
