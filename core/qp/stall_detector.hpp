// stall_detector.hpp - tells when doubles allow the QP no further progress.
//
// Asked by QpSolver after every evaluation. Two signs, of which either is enough:
//
//   the steps since the last evaluation gained but rounding, and the gap has not fallen, some times
//   in a row. The gap may go on falling long after the dual, which is flat at its maximum;
//
//   neither the dual nor the gap has moved for a long time, whatever the steps made from products
//   <a, a'> say that they gained: products and planes differ by rounding, or, in a state that was
//   read, by what its check lets through.
#pragma once

#include <algorithm>
#include <limits>

#include "qp/stall_counter.hpp"

namespace sculpt::core {

class StallDetector {
 public:
  // `least_gain`: of the steps between two evaluations; `least_rise`: of the dual as evaluated.
  bool after(double gain, double least_gain, double dual, double least_rise, double gap) {
    const bool gains = gain > least_gain || gap < StallCounter::fall * smallest_gap_;
    smallest_gap_ = std::min(smallest_gap_, gap);
    stalled_ = gains ? 0 : stalled_ + 1;
    return stall_counter_.after(dual, least_rise, gap) >= long_patience || stalled_ >= patience;
  }

 private:
  static constexpr int patience = 5;
  static constexpr int long_patience = 100;

  double smallest_gap_ = std::numeric_limits<double>::infinity();
  int stalled_ = 0;
  StallCounter stall_counter_;
};

}  // namespace sculpt::core
