// orthant.hpp - steps for objectives with ||w||_1 or bounds, where P is smooth between zeros only.
//
// A step must not cross 0 in any coordinate, because the gradient jumps there. So each coordinate
// stays on the side that it starts from or moves to. Source: Andrew & Gao, ICML 2007 (OWL-QN).
// A bound w_j >= 0 is the same with one side only.
//
// Called by CrfRun if the regularizer is not smooth. Vectors are [dimension].
#pragma once

#include "linalg/vector.hpp"
#include "objective/regularizer.hpp"

namespace sculpt::core {

class Orthant {
 public:
  // Both must outlive it. nullptr: this thread alone.
  Orthant(const Regularizer& regularizer, Workers* workers)
      : regularizer_(regularizer), workers_(workers) {}

  // out = the gradient of P. Where P has a kink, the one-sided slope of the side on which P falls,
  // or 0.
  void find_slopes(const Vector& w, const Vector& gradient, Vector& out) const;

  // Sets direction_j to 0 where P does not fall along it.
  void align(const Vector& slopes, Vector& direction) const;

  // out = w + step * direction, with 0 for coordinates that would leave their side.
  void move(const Vector& w, const Vector& slopes, const Vector& direction, double step,
            Vector& out) const;

 private:
  const Regularizer& regularizer_;
  Workers* workers_;
};

}  // namespace sculpt::core
