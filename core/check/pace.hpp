// pace.hpp - keeps the tests of an honest but slow plugin within their time.
//
// What a test asks ends at half of its limit, with a remark, at level 1 far sooner: all tests
// together shall take a minute or two, and every one of them asks a slow plugin. What makes a
// counter-example smaller ends at three quarters. Whoever is still at it at the limit hangs
// (test_process.hpp). Used by the tests and by Bench; Pace by one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/stopwatch.hpp"
#include "check/findings.hpp"

namespace sculpt::core {

// Shares of the limit of a test, from its beginning.
constexpr double pools_end = 0.25;  // of outputs to compare with; all examples together
constexpr double asking_ends = 0.5;
constexpr double shrinking_ends = 0.75;

// The part of these shares, but the last, that a quick look takes.
constexpr double quick_look = 0.15;

// The time since its making, measured by the limit of a test.
class TestClock {
 public:
  // `haste`: the part of a share that asking takes, e.g. quick_look.
  explicit TestClock(double limit, double haste = 1) : limit_(limit), haste_(haste) {}
  double limit() const { return limit_; }  // seconds
  bool past(double share) const { return watch_.seconds() > share * limit_; }
  // Whether asking is over that has this share.
  bool asked(double share) const { return past(share * haste_); }
  // A clock for one of `count` parts, from now on.
  TestClock part(std::size_t count) const {
    return TestClock(limit_ / static_cast<double>(count), haste_);
  }

 private:
  double limit_;
  double haste_;
  Stopwatch watch_;
};

// Goes through `total` things ("questions") until a share of the limit is over.
class Pace {
 public:
  Pace(const TestClock& clock, Findings& findings, std::int64_t total, const char* things,
       double share = asking_ends)
      : clock_(clock), findings_(findings), total_(total), things_(things), share_(share) {}

  // Whether there is time for one more; the first one is always done. When there is none, a remark
  // says how many there were.
  bool next() {
    if (over_) return false;
    over_ = done_ > 0 && clock_.asked(share_);
    if (!over_) {
      ++done_;
      return true;
    }
    findings_.remark(std::to_string(done_) + " of " + std::to_string(total_) + " " + things_ +
                     ", for want of time (--time-limit gives more)");
    return false;
  }

 private:
  const TestClock& clock_;
  Findings& findings_;
  std::int64_t total_;
  const char* things_;
  double share_;
  std::int64_t done_ = 0;
  bool over_ = false;
};

}  // namespace sculpt::core
