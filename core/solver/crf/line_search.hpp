// line_search.hpp - finds the length of a step along a direction.
//
// A step t is accepted if P falls enough, and if its slope has risen enough (conditions of Wolfe):
//
//   P(t) <= P(0) + 1e-4 decrease(t),    P'(t) >= 0.9 P'(0)
//
// decrease(t) = t P'(0) < 0 is the fall that the slope at 0 promises. Where w is projected, along
// bounds or signs, it is that of the projected step, and the slope at t is not asked.
//
// The search keeps a bracket: the first condition holds at `low`, and fails at `high`. The next
// step is the minimum of the cubic through both ends, but not near an end. Sources: Nocedal &
// Wright, Numerical Optimization (2006), sections 3.1 and 3.5. If P changes by rounding only, the
// slope alone decides: Hager & Zhang, SIAM Journal on Optimization 16 (2005), section 3.
//
// Held by CrfRun. It may be saved between two trials.
#pragma once

#include <cstdint>

#include "base/file/state_stream.hpp"
#include "base/infinity.hpp"

namespace sculpt::core {

class LineSearch {
 public:
  // What is known of P at a trial step.
  struct Trial {
    double primal;    // P(t)
    double decrease;  // as above
    double slope;     // P'(t); NaN: not known, because w was projected
    double rounding;  // by how much rounding may change P
  };

  // Begins at P(0) with the slope P'(0) < 0. The first trial is `step` > 0.
  void begin(double primal, double slope, double step);

  double step() const { return step_; }  // of the current trial
  // True if the current trial is accepted. Otherwise step() is the next trial.
  bool accepts(const Trial& trial);
  // True if no further trial can fall below P(0) beyond rounding.
  bool is_stuck() const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  struct End {
    double step = 0;
    double primal = 0;
    double slope = 0;
  };

  double next_step() const;

  End start_;
  End low_;
  End high_;  // step infinite: none yet
  double step_ = 0;
  std::int64_t trials_ = 0;
};

}  // namespace sculpt::core
