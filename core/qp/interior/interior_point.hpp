// interior_point.hpp - Newton steps for the QP of a working set, for planes of any scale.
//
// Called by QpSolver if block ascent is slow. Ascent converges with the condition number of the
// planes' products: a column of 1e6 next to one of 1 makes that 1e12. Let xi be the slacks of the
// blocks, alpha the multipliers of the planes, u those of xi >= 0 and beta those of w_j >= 0. The
// optimum of
//
//   min 1/2 ||w||^2 + sum_i cost(xi_i)    s_p = <w, a_p> + xi_i - b_p >= 0
//
// satisfies (linear slack; the others in slack_term.hpp)
//
//   w = sum alpha a + beta,   cap = sum_p alpha_p + u,   alpha_p s_p = u xi = beta_j w_j = 0.
//
// Each step solves these equations, linearized, with products slightly above 0 on the right. It
// takes one factorization in w (normal_matrix.hpp) and two solutions. The first solution is a step
// towards 0: its length decides how far above 0 the products are, and it corrects the error of the
// linearization. The number of steps hardly depends on the planes: 10 to 30.
//
// Only planes that may get alpha take part: those near the largest of their block at the start. If
// the result violates other planes, these join in and the steps go on.
//
// The result is a pair. Its alpha goes to the working set, scaled to a feasible one. The vector w
// is kept as the point to ask at. It equals sum alpha a, but not in double precision: if planes of
// 1e8 cancel to 1e-8, their sum has no correct digit.
//
// Sources: Mehrotra, SIAM J. Optimization 2 (1992); Gertz & Wright, ACM TOMS 29 (2003), sections 2
// and 4, for the QP; Ferris & Munson, SIAM J. Optimization 13 (2002), for normal equations in w.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "qp/interior/normal_matrix.hpp"
#include "qp/interior/plane_rows.hpp"
#include "qp/working_set/weight_scaling.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class InteriorPoint {
 public:
  // Both must outlive it; workers == nullptr: this thread alone. The result is the same.
  InteriorPoint(WorkingSet& working_set, Workers* workers)
      : working_set_(working_set), matrix_(workers) {}

  // Larger dimensions use ascent only: the matrix takes twice 8 bytes times the square of the
  // dimension.
  static constexpr std::size_t max_columns = 4000;
  // Reads of all planes in a step. Includes the work of gathering them.
  static constexpr double reads_per_step = 12;
  // The number of multiplications of a factorization that take as long as touching one plane entry.
  static constexpr double multiplications_per_entry = 4;

  // The expected work of ascend(), in plane entries touched. Infinite if there are too many weights
  // for a factorization.
  double expected_work() const;
  // A lower bound of the expected work that needs no look at the planes.
  static double min_work(const WorkingSet& working_set);

  enum class End { tolerance, rounding, dual_limit, interrupted };

  struct Request {
    double tolerance = 0;   // on the gap between primal() and the dual
    double dual_limit = 0;  // ends if D is at least this
    std::function<bool()> stop;
  };

  // Starts from the w `start`, where the restricted gap is `gap` (infinite: unknown), and the
  // current alpha. Puts the best alpha that it finds into the working set and refreshes it, if that
  // raises D.
  End ascend(const SparseVector& start, double gap, const Request& request);

  // About the last ascend(): the best w found, P there over the planes of the working set, and the
  // work.
  const SparseVector& newton_point() const { return newton_point_; }
  double primal() const { return best_primal_; }
  double work() const { return work_; }

 private:
  // Of a block: of its planes together, or of its slack.
  struct Slack {
    double xi = 0, xi_change = 0;
    double u = 0, u_change = 0;  // linear: multiplier of xi >= 0
    double complement = 0;       // u xi - target
    double weight = 0;           // q of the zero plane: u / xi, 1 / ridge, or infinite
    double right = 0;            // e of the elimination
    double total = 0;            // sum of q, the zero plane's too
  };
  struct Bound {
    std::size_t column = 0;
    double beta = 0, beta_change = 0;
    double complement = 0;
  };

  void choose_planes(const SparseVector& start, double gap);
  bool choose_violated_planes();
  End run_newton_steps(const Request& request);
  void set_start(double gap);
  void set_starting_slacks(double gap);
  void set_starting_bounds(double gap);
  void set_bound_multipliers();
  void compute_primal_and_dual();
  void compute_primal();
  void compute_dual();
  void keep_best();
  void store_result(double tolerance);
  void store_alpha(double tolerance);
  void zero_small_alpha(std::vector<double>& alpha) const;
  void set_alpha(std::span<const double> alpha);

  // Defined in newton_step.cpp.
  double complementarity(double length) const;
  bool factorize();
  void set_predictor_target();
  void set_corrector_target(double target);
  void find_direction();
  void find_right_side();
  double longest_step() const;
  void take_step(double length);

  WorkingSet& working_set_;
  NormalMatrix matrix_;
  std::vector<std::vector<std::uint8_t>> chosen_;  // [blocks][planes] 1: takes part
  PlaneRows planes_;
  WeightScaling weight_scaling_;
  std::vector<double> w_, w_change_, v_;          // [columns]; v = sum alpha a
  std::vector<double> product_, product_change_;  // [rows] <w, a>
  std::vector<double> s_, s_change_;              // [rows]
  std::vector<double> alpha_, alpha_change_;      // [rows]
  std::vector<double> q_, complement_, right_;    // [rows] alpha / s, alpha s - target, t
  std::vector<Slack> slack_;                      // [blocks]
  std::vector<Bound> bounds_;
  std::vector<double> scratch_;              // [rows]
  std::vector<double> best_w_, best_alpha_;  // best_alpha_ empty: none is better
  SparseVector newton_point_;                // the start, then the best w of the rounds so far
  double primal_ = 0, dual_ = 0, factor_ = 1;
  double best_primal_ = 0, best_dual_ = 0;
  double work_ = 0;
};

}  // namespace sculpt::core
