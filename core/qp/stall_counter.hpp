// stall_counter.hpp - counts how long neither the dual nor the gap has moved beyond rounding.
//
// Called by the QP after every evaluation and by the solvers after every certificate.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

class StallCounter {
 public:
  static constexpr double fall = 0.9;  // a gap has fallen if it is below this part of the old gap

  // Returns how many times in a row, including this call, nothing has moved. The dual has moved if
  // it rose by more than `min_rise` since its last move. The gap has moved if it fell.
  int after(double dual, double min_rise, double gap) {
    ++times_;
    if (dual > dual_ + min_rise || gap < fall * gap_) {
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
    in.require(times_ >= 0 && times_ < max_times && !std::isnan(dual_) && !std::isnan(gap_),
               "a standstill that is out of range");
  }

 private:
  static constexpr std::int32_t max_times = 1 << 30;  // the largest value in a valid state

  std::int32_t times_ = 0;
  // Values at the last move.
  double dual_ = -std::numeric_limits<double>::infinity();
  double gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace sculpt::core
