// face_ascent.hpp - conjugate gradients on the planes with alpha > 0, all blocks at once.
//
// Called by QpSolver. Block ascent is slow once the blocks with alpha are known but depend on each
// other, because planes of different examples share features. On the face where alpha is positive
// the dual is a quadratic without constraints. So conjugate gradients converge with the square root
// of its condition number. Their end point may leave the feasible set. It is projected back, and
// used only if the dual rises.
//
//   max  D(alpha + d),  d_p = 0 where alpha_p = 0,  sum of d over each block = 0
//
// If slacks do not cost linearly, alpha_0 is infinite and the sums of d are free. Weights on their
// bounds are assumed to stay there, so the curvature is that of the other weights. The gain of a
// trial is exact in any case.
//
// Many conjugate directions are useful if the face is nearly right. Otherwise the end point lies
// far outside, and its projection gains less than that of a shorter step. The number of directions
// follows from the fraction of the predicted gain that the last trials reached.
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
  // Both must outlive it; workers == nullptr: this thread alone.
  explicit FaceAscent(WorkingSet& working_set, Workers* workers = nullptr)
      : working_set_(working_set), face_(working_set, workers), w_change_(working_set.scratch()) {}

  struct Outcome {
    double gain = 0;  // of the dual; 0: nothing was changed
    double work = 0;  // plane entries touched
  };

  // Runs conjugate gradients from the current alpha, then the projected search. Keeps w = sum alpha
  // a.
  Outcome improve();

  // The state between two calls of improve().
  void save(StateWriter& out) const { out.put(iterations_); }
  void load(StateReader& in);

 private:
  Outcome ascend();
  double search_along_direction();
  void adapt_iterations(double gain);
  void run_conjugate_gradients();
  void project_gradient(std::vector<double>& gradient) const;
  double add_ridge(double scale, const std::vector<double>& x, std::vector<double>& out) const;
  double multiply_by_gram();
  const Vector& multiply_change();
  double product_with_change(const Vector& x) const;
  double longest_step() const;
  double try_step(double length);
  void project_block(std::size_t begin, std::size_t end);
  void project_to_simplex(std::size_t begin, std::size_t end, double alpha_sum);
  double ridge_loss() const;

  WorkingSet& working_set_;
  ActiveFace face_;
  double iterations_ = 8;          // of conjugate gradients, at most
  double predicted_gain_ = 0;      // gain of the whole direction, if it were feasible
  std::vector<double> direction_;  // [variables] d
  std::vector<double> residual_, conjugate_, product_, trial_, sorted_;
  // [dimension] sum of a times a vector over the variables. It is scratch() of the working set,
  // zero between calls.
  Vector& w_change_;
  SparseVector change_;       // its entries; empty without an inner product
  Vector product_of_change_;  // M times it, likewise
  double work_ = 0;           // entries touched in the current improve()
};

}  // namespace sculpt::core
