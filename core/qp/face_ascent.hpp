// face_ascent.hpp - conjugate gradients on the planes that carry alpha, all blocks at once.
//
// Called by QpSolver. Block after block, the dual rises slowly once the blocks that carry alpha are
// known but depend on each other: the planes of different examples share features. On the face of
// the feasible set where alpha is positive the dual is a plain quadratic, so conjugate gradients
// converge with the square root of its condition number. Their end point may leave the feasible
// set; it is projected back, and taken only if the dual rises.
//
//   max  D(alpha + d),  d_p = 0 where alpha_p = 0,  sum of d over each block = 0
//
// Where slacks do not cost linearly alpha_0 is infinite and no sum binds the others. Weights
// that rest on their bounds are taken to stay there: the curvature is that of the other weights.
// The gain of a trial is exact in any case.
//
// Many conjugate directions pay where the face is nearly right. Where it is not, the end point lies
// far outside, and its projection gains less than that of a shorter way: how many are made follows
// from the part of the promised gain that the last trials kept.
//
// Source: More & Toraldo, SIAM J. Optimization 1 (1991), the subspace phase of their algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/active_face.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class FaceAscent {
 public:
  // Both outlive it; workers == nullptr: this thread alone.
  explicit FaceAscent(WorkingSet& working_set, Workers* workers = nullptr)
      : working_set_(working_set), face_(working_set, workers), moved_(working_set.scratch()) {}

  struct Outcome {
    double gain = 0;  // of the dual; 0: nothing was changed
    double work = 0;  // plane entries touched
  };

  // Conjugate gradients from the present alpha, then the projected search. Keeps w = sum alpha a.
  Outcome improve();

  // What outlives an improve().
  void save(StateWriter& out) const { out.put(iterations_); }
  void load(StateReader& in);

 private:
  Outcome ascend();
  double search();
  void learn(double gain);
  void run_conjugate_gradients();
  void project_gradient(std::vector<double>& gradient) const;
  double add_ridge(double scale, const std::vector<double>& x, std::vector<double>& out) const;
  double multiply_by_gram();
  double longest_step() const;
  double try_step(double length);
  void project_block(std::size_t begin, std::size_t end);
  void project_to_simplex(std::size_t begin, std::size_t end, double mass);
  double ridge_loss() const;

  WorkingSet& working_set_;
  Face face_;
  double iterations_ = 8;          // of conjugate gradients, at most
  double promised_ = 0;            // gain of the whole direction, if it were feasible
  std::vector<double> direction_;  // [variables] d
  std::vector<double> residual_, conjugate_, product_, trial_, sorted_;
  // [dimension] sum of a times a vector over the variables; the working set's, zero between calls
  Vector& moved_;
  double work_ = 0;  // entries touched in the improve() under way
};

}  // namespace sculpt::core
