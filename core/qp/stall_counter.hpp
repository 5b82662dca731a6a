// stall_counter.hpp - counts for how long neither the dual nor the gap has moved beyond rounding.
//
// Asked by the QP after every evaluation and by the solvers after every certificate.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

class StallCounter {
 public:
  static constexpr double fall = 0.9;  // of a gap: to this part of what it was

  // Returns how many times in a row, this one too, the dual has risen by at most `least_rise` in
  // all and the gap has not fallen.
  int after(double dual, double least_rise, double gap) {
    ++times_;
    if (dual > dual_ + least_rise || gap < fall * gap_) {
      times_ = 0;
      dual_ = dual;
      gap_ = gap;
    }
    return times_;
  }

  int times() const { return times_; }

  void save(StateWriter& out) const {
    out.put(std::int32_t{times_});
    out.put(dual_);
    out.put(gap_);
  }

  void load(StateReader& in) {
    times_ = in.get<std::int32_t>();
    dual_ = in.get<double>();
    gap_ = in.get<double>();
    in.require(times_ >= 0 && times_ < most_times && !std::isnan(dual_) && !std::isnan(gap_),
               "a standstill that is out of range");
  }

 private:
  static constexpr std::int32_t most_times = 1 << 30;  // that a state may claim

  std::int32_t times_ = 0;
  // When one of them moved last.
  double dual_ = -std::numeric_limits<double>::infinity();
  double gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace sculpt::core
