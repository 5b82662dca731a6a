// interior_point.hpp - Newton steps for the QP of a working set, whatever the scale of its planes.
//
// Called by QpSolver where block ascent is slow: that converges with the condition number of the
// planes' products, and a column of 1e6 beside one of 1 makes that 1e12. With the slacks xi of the
// blocks, the multipliers alpha of the planes, u of xi >= 0 and beta of the bounds w_j >= 0, the
// optimum of
//
//   min 1/2 ||w||^2 + sum_i cost(xi_i)    s_p = <w, a_p> + xi_i - b_p >= 0
//
// is where (linear slack; the others in slack_term.hpp)
//
//   w = sum alpha a + beta,   cap = sum_p alpha_p + u,   alpha_p s_p = u xi = beta_j w_j = 0.
//
// Each step solves these equations, linearized, with the products on the right a little above 0,
// by one factorization in w (normal_matrix.hpp) and two solutions: how far a step towards 0 gets
// tells how much above, and corrects for what the linearization leaves out. The number of steps
// hardly depends on the planes: 10 to 30.
//
// Only planes that may carry alpha take part: those near the largest of their block at the place to
// begin at. Those left out that the end violates join in, and the steps go on from there.
//
// What comes out is a pair. alpha goes to the working set, scaled to what is feasible, and w is
// kept as the place to ask at: w = sum alpha a holds, but a sum of planes of 1e8 that cancel to
// 1e-8 has no digit right.
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
  // Both outlive it; workers == nullptr: this thread alone. The result is the same.
  InteriorPoint(WorkingSet& working_set, Workers* workers)
      : working_set_(working_set), matrix_(workers) {}

  // Dimensions beyond it are left to ascent: the matrix takes 8 bytes times its square, twice.
  static constexpr std::size_t most_columns = 4000;
  // Walks over all planes in a step, with that of gathering them.
  static constexpr double walks_per_step = 12;
  // Multiplications of a factorization that take as long as touching one plane entry.
  static constexpr double multiplications_per_entry = 4;

  // The work that ascend() is expected to take, in plane entries touched; infinite where the
  // weights are too many for a factorization.
  double expected_work() const;
  // A part of it that is known without a look at the planes.
  static double least_work(const WorkingSet& working_set);

  enum class End { tolerance, rounding, ceiling, interrupted };

  struct Request {
    double tolerance = 0;  // on the gap of the two values below
    double ceiling = 0;    // D of at least this ends it
    std::function<bool()> stop;
  };

  // From `place`, where the restricted gap is `gap` (infinite: unknown), and the present alpha.
  // Puts the best alpha that it meets into the working set, if that raises D, and refreshes that.
  End ascend(const SparseVector& place, double gap, const Request& request);

  // Of the last ascend(): the best w that it met, P there over the planes of the working set, and
  // what it took.
  const SparseVector& place() const { return place_; }
  double primal() const { return best_primal_; }
  double work() const { return work_; }

 private:
  // Of the planes of a block together, or of its slack.
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

  void choose(const SparseVector& place, double gap);
  bool choose_violated();
  End follow(const Request& request);
  void begin(double gap);
  void begin_slacks(double gap);
  void begin_bounds(double gap);
  void begin_multipliers();
  void measure();
  void measure_primal();
  void measure_dual();
  void keep_best();
  void finish(double tolerance);
  void put_alpha(double tolerance);
  void clean(std::vector<double>& alpha) const;
  void set_alpha(std::span<const double> alpha);

  // interior_step.cpp
  double complementarity(double length) const;
  bool factorize();
  void set_predictor_target();
  void set_corrector_target(double target);
  void find_direction();
  void find_right_side();
  double longest_step() const;
  void take(double length);

  WorkingSet& working_set_;
  NormalMatrix matrix_;
  std::vector<std::vector<std::uint8_t>> chosen_;  // [blocks][planes] 1: takes part
  PlaneRows planes_;
  WeightScaling stretch_;
  std::vector<double> w_, w_change_, v_;          // [columns]; v = sum alpha a
  std::vector<double> product_, product_change_;  // [rows] <w, a>
  std::vector<double> s_, s_change_;              // [rows]
  std::vector<double> alpha_, alpha_change_;      // [rows]
  std::vector<double> q_, complement_, right_;    // [rows] alpha / s, alpha s - target, t
  std::vector<Slack> slack_;                      // [blocks]
  std::vector<Bound> bounds_;
  std::vector<double> room_;                 // [rows]
  std::vector<double> best_w_, best_alpha_;  // the latter empty: no better than it was
  SparseVector place_;
  double primal_ = 0, dual_ = 0, factor_ = 1;
  double best_primal_ = 0, best_dual_ = 0;
  double work_ = 0;
};

}  // namespace sculpt::core
