// curvature_history.hpp - an approximation H of the inverse Hessian, from the last steps (L-BFGS).
//
//   s = w_new - w_old,  y = gradient_new - gradient_old,  rho = 1 / <s, y>
//
// H starts as <s, y> / <y, y> of the last pair times the identity. Each pair, oldest first, changes
// it so that H y = s. Source: Nocedal & Wright, Numerical Optimization (2006), Algorithm 7.4.
//
// s and y are kept in single precision, which halves their memory. rho is that of the numbers kept,
// so H stays positive. Held by CrfRun. Vectors are [dimension].
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class CurvatureHistory {
 public:
  // Keeps at most `max_pairs` pairs >= 1. The workers must outlive it; nullptr: this thread alone.
  CurvatureHistory(std::int64_t max_pairs, Workers* workers)
      : max_pairs_(static_cast<std::size_t>(max_pairs)), workers_(workers) {}

  // Adds a step, and drops the oldest one if there are too many. A step along which the gradient
  // does not grow is left out: H must stay positive.
  void add(const Vector& old_w, const Vector& new_w, const Vector& old_gradient,
           const Vector& new_gradient);
  void clear() { pairs_.clear(); }
  bool is_empty() const { return pairs_.empty(); }

  // direction = -H gradient
  void find_direction(const Vector& gradient, Vector& direction) const;

  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t dimension);

 private:
  struct Pair {
    std::vector<float> s;
    std::vector<float> y;
    double product = 0;         // <s, y> > 0
    double squared_change = 0;  // <y, y> > 0
  };

  std::size_t max_pairs_;
  Workers* workers_;
  std::deque<Pair> pairs_;  // the newest last
};

}  // namespace sculpt::core
