// stall_counter.hpp - counts how long neither the dual nor the gap has moved beyond rounding.
//
// Called by StallDetector after every evaluation of the QP, and by PassController after every
// certificate.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/file/state_stream.hpp"
#include "base/infinity.hpp"

namespace sculpt::core {

class StallCounter {
 public:
  // A gap falls if it is below this fraction of the old gap.
  static constexpr double fall_factor = 0.9;

  // Counts this evaluation. Returns how many times in a row, with this call, nothing has moved. The
  // dual has moved if it rose by more than `min_rise` since its last move. The gap has moved if it
  // fell.
  int update(double dual, double min_rise, double gap) {
    ++count_;
    if (dual > dual_ + min_rise || gap < fall_factor * gap_) {
      count_ = 0;
      dual_ = dual;
      gap_ = gap;
    }
    return count_;
  }

  int count() const { return count_; }

  void save(StateWriter& out) const {
    out.put(std::int32_t{count_});
    out.put(dual_);
    out.put(gap_);
  }

  void load(StateReader& in) {
    count_ = in.get<std::int32_t>();
    dual_ = in.get<double>();
    gap_ = in.get<double>();
    in.require(count_ >= 0 && count_ < max_count && !std::isnan(dual_) && !std::isnan(gap_),
               "a stall count that is out of range");
  }

 private:
  static constexpr std::int32_t max_count = 1 << 30;  // the largest value in a valid state

  std::int32_t count_ = 0;
  // Values at the last move.
  double dual_ = -infinity;
  double gap_ = infinity;
};

}  // namespace sculpt::core
