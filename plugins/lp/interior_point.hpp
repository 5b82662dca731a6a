// interior_point.hpp - solves the linear program over a local polytope, for all states and scopes.
//
//   minimize -<c, x>  subject to A x = b, x >= 0;      A^T y + s = -c,  s >= 0;   x_j s_j -> 0
//
// by Newton's method with predictor and corrector: Mehrotra, SIAM Journal on Optimization 2 (1992).
// It starts in the interior of both problems. The uniform beliefs satisfy A x = b, and a dual
// interior point is known too, so only rounding violates the equations. A step factors the matrix A
// diag(x / s) A^T (normal_factor.hpp). Used by lp if a minimum cut cannot solve the program.
#pragma once

#include "constraints.hpp"
#include "normal_factor.hpp"

class InteriorPoint {
 public:
  struct Limits {
    double tolerance;        // of the gap, relative to the largest absolute score
    std::int64_t max_cells;  // entries of each of its matrices
  };
  // Writes beliefs that solve the program up to the tolerance and are nearly consistent, and
  // messages whose bound is as near. Calls poll() once a step; poll() may throw. Throws
  // unsupported_error if a matrix exceeds max_cells, before allocating it.
  template <class Poll>
  void solve(const LocalPolytope& polytope, const Limits& limits, std::vector<double>& beliefs,
             std::vector<double>& messages, Poll poll) {
    begin(polytope, limits.max_cells);
    for (int step = 0; step < max_steps; ++step) {
      poll();
      if (x_.dot(s_) <= limits.tolerance || !take_step()) break;
    }
    finish(polytope, beliefs, messages);
  }

 private:
  static constexpr int max_steps = 100;
  using Vector = Eigen::VectorXd;

  void begin(const LocalPolytope& polytope, std::int64_t max_cells);
  void begin_factor(std::int64_t max_cells);
  void start_dual(const LocalPolytope& polytope);
  bool take_step();
  bool compute_direction(const Vector& complementarity, const Vector& primal_residual,
                         const Vector& dual_residual);
  void finish(const LocalPolytope& polytope, std::vector<double>& beliefs,
              std::vector<double>& messages);

  Constraints constraints_;
  Eigen::SparseMatrix<double> a_;           // [rows][beliefs]
  Eigen::SparseMatrix<double> transposed_;  // of a_
  Vector b_;
  Vector cost_;       // -c / scale_
  double scale_ = 1;  // of the scores
  Vector x_, y_, s_;
  Vector dx_, dy_, ds_;
  Eigen::SparseMatrix<double> normal_;  // A diag(x / s) A^T
  NormalFactor factor_;
};
