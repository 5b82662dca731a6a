// remaining_time.hpp - estimates how long a run needs until its gap is small enough.
//
// Held by LiveLine. The estimate is a range, because nobody knows how the gap will fall. With g(t)
// the smallest gap at the time t, and log g(t) interpolated between passes, there are three
// guesses:
//
//   the gap falls as from t/2 to 3t/4:   log(g / target) / (fall of log g in a second)
//   the gap falls as from 3t/4 to t:     the same
//   the gap falls as a power of t:       t (g / target)^(1/p) - t, p the fall of log g per log t
//
// The range holds all three, with a margin. If they differ by much, nothing is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/infinity.hpp"

namespace sculpt::core {

// Seconds.
struct TimeRange {
  double low = 0;
  double high = 0;
};

class RemainingTime {
 public:
  // `target`: the gap that ends the run. 0 or less: no estimate is made.
  explicit RemainingTime(double target) : target_(target) {}

  // The gap of a pass that ended after this time, in seconds since the run began. Times do not
  // decrease. Gaps that are not finite or not above 0 are left out.
  void add(double seconds, double gap);

  // The time that is left after the last gap that was added. None while it is unknown: there are
  // few gaps, the gap stands still, or the guesses differ by much.
  std::optional<TimeRange> range() const;

 private:
  struct Point {
    double seconds;
    double log_gap;  // of the smallest gap so far
  };
  double log_gap_at(double seconds) const;
  std::ptrdiff_t count_since(double seconds) const;

  double target_;
  double best_log_gap_ = infinity;
  std::vector<Point> points_;     // at most max_points
  std::int64_t count_ = 0;        // gaps that were added
  std::int64_t stride_ = 1;       // gaps from one point to the next
  bool last_is_between_ = false;  // the last point is nearer to the one before
};

// "about 2-4 min", "about 20 s", "a few seconds".
std::string duration_text(const TimeRange& range);

}  // namespace sculpt::core
