// stall_detector.hpp - tells when doubles allow the QP no further progress.
//
// Asked by Sweeps after every evaluation. Two signs, of which either is enough:
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

class Standstill {
 public:
  // `least_gain`: of the steps between two evaluations; `least_rise`: of the dual as evaluated.
  bool after(double gain, double least_gain, double dual, double least_rise, double gap) {
    const bool gains = gain > least_gain || gap < Unmoved::fall * smallest_gap_;
    smallest_gap_ = std::min(smallest_gap_, gap);
    in_vain_ = gains ? 0 : in_vain_ + 1;
    return unmoved_.after(dual, least_rise, gap) >= long_patience || in_vain_ >= patience;
  }

 private:
  static constexpr int patience = 5;
  static constexpr int long_patience = 100;

  double smallest_gap_ = std::numeric_limits<double>::infinity();
  int in_vain_ = 0;
  Unmoved unmoved_;
};

}  // namespace sculpt::core
