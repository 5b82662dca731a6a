// stall_detector.hpp - detects that the QP can make no further progress in double precision.
//
// Called by QpSolver after every evaluation. One of two signs is enough:
//
//   `patience` times in a row the steps since the last evaluation gained only rounding, and the gap
//   did not fall. The gap may fall long after the dual stalls: the dual is flat at its maximum.
//
//   `long_patience` times in a row neither the dual nor the gap moved, although steps from products
//   <a, a'> report a gain. Products and planes differ by rounding. In a loaded state they may
//   differ by as much as its check allows.
#pragma once

#include <algorithm>

#include "base/infinity.hpp"
#include "qp/stall_counter.hpp"

namespace sculpt::core {

class StallDetector {
 public:
  // Counts this evaluation. Returns true if no further progress is possible. `min_gain`: of the
  // steps between two evaluations. `min_rise`: of the evaluated dual.
  bool update(double gain, double min_gain, double dual, double min_rise, double gap) {
    const bool has_gained = gain > min_gain || gap < StallCounter::fall_factor * smallest_gap_;
    smallest_gap_ = std::min(smallest_gap_, gap);
    stall_count_ = has_gained ? 0 : stall_count_ + 1;
    return stall_counter_.update(dual, min_rise, gap) >= long_patience || stall_count_ >= patience;
  }

 private:
  static constexpr int patience = 5;
  static constexpr int long_patience = 100;

  double smallest_gap_ = infinity;
  int stall_count_ = 0;
  StallCounter stall_counter_;
};

}  // namespace sculpt::core
