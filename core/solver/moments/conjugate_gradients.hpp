// conjugate_gradients.hpp - solves A x = c, with the A of moment_objective.hpp, by products A v.
//
//   r = c - A x,   p = the direction
//   repeat: alpha = <p, r> / <p, A p>,   x += alpha p,   r -= alpha A p,
//           p = r + p <new r, new r> / <old r, old r>
//
// It begins with x = 0, or with the solution in the span of known directions. So x stays in the
// range of A, and lambda = 0 leads to the solution of least norm. Source: Nocedal & Wright,
// Numerical Optimization (2006), Algorithm 5.2.
//
// Rounding parts the r of the steps from c - A x. Once r is small enough, another product computes
// c - A x. If that is too large, the steps begin again from it.
//
// Held by the runs of soda, z_score and constrained_z_score. Vectors are [dimension].
#pragma once

#include <functional>

#include "base/file/state_stream.hpp"
#include "base/infinity.hpp"
#include "linalg/vector.hpp"
#include "objective/example_source.hpp"
#include "solver/moments/known_directions.hpp"

namespace sculpt::core {

class ConjugateGradients {
 public:
  // out = A v. Returns false if it was interrupted.
  using Product = std::function<bool(const Vector& v, Vector& out)>;

  // The source reports an A that is not linear. It must outlive this. known_bytes: of the
  // directions that are kept for the systems that follow.
  ConjugateGradients(ExampleSource& source, double lambda, std::size_t known_bytes = 0)
      : source_(source), lambda_(lambda), known_(known_bytes, source.workers()) {}

  void begin(const Vector& c);
  // Makes one product, for a step or to confirm r. Returns false, and changes nothing, if the
  // product was interrupted.
  bool advance(double target, const Product& multiply);

  // ||r|| <= target ||c||, and r is c - A x.
  bool has_reached(double target) const { return is_confirmed_ && has_small_residual(target); }
  // No step lowers r beyond rounding.
  bool is_stuck() const { return is_stuck_; }
  double residual() const;  // ||r|| / ||c||, 0 if both are 0

  const Vector& c() const { return c_; }
  const Vector& x() const { return x_; }
  const Vector& r() const { return r_; }
  Vector take_x() { return std::move(x_); }  // nothing else is valid afterwards

  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t dimension);
  // What lasts from one c to the next: the known directions and the largest curvature.
  void save_known(StateWriter& out) const;
  void load_known(StateReader& in, std::size_t dimension);

 private:
  bool step(const Product& multiply);
  bool confirm_residual(double target, const Product& multiply);
  void require_linear(double change) const;
  bool has_small_residual(double target) const;

  ExampleSource& source_;
  double lambda_;
  KnownDirections known_;
  bool is_confirmed_ = false;  // r is c - A x, not that of the steps
  bool is_stuck_ = false;
  Vector c_;
  Vector x_;
  Vector r_;
  Vector p_;
  Vector product_;                     // A p or A x
  double squared_c_ = 0;               // ||c||^2
  double squared_r_ = 0;               // ||r||^2
  double least_confirmed_ = infinity;  // of ||c - A x||^2
  double largest_curvature_ = 0;       // of <p, A p> / <p, p>, over all c
};

}  // namespace sculpt::core
