// face_ascent.hpp - conjugate gradients on the planes that carry alpha, all blocks at once.
//
// Called by Sweeps. Block after block, the dual rises slowly once the blocks that carry alpha are
// known but depend on each other: the planes of different examples share features. On the face of
// the feasible set where alpha is positive the dual is a plain quadratic, so conjugate gradients
// converge with the square root of its condition number. Their end point may leave the feasible
// set; it is projected back, and taken only if the dual rises.
//
//   max  D(alpha + d),  d_p = 0 where alpha_p = 0,  sum of d over each block = 0
//
// Where slacks do not cost linearly alpha_0 is a reservoir and no sum binds the others. Weights
// that rest on their bounds are taken to stay there: the curvature is that of the other weights.
// The gain of a trial is exact in any case.
//
// Source: More & Toraldo, SIAM J. Optimization 1 (1991), the subspace phase of their algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/working_set.hpp"

namespace sculpt::core {

class FaceAscent {
 public:
  explicit FaceAscent(WorkingSet& working_set)
      : working_set_(working_set), moved_(working_set.scratch()) {}

  struct Outcome {
    double gain = 0;  // of the dual; 0: nothing was changed
    double work = 0;  // plane entries touched
  };

  // At most `iterations` of conjugate gradients from the present alpha, then the projected search.
  // Keeps w = sum alpha a.
  Outcome improve(int iterations);

 private:
  struct Variable {
    const PlaneVector* a;
    double b;
    double squared_norm;  // ||a||^2
    double* alpha;
  };

  Outcome ascend(int iterations);
  void gather();
  void gather_block(Block& block);
  void run_conjugate_gradients(int iterations);
  void project_gradient(std::vector<double>& gradient) const;
  double add_ridge(double scale, const std::vector<double>& x, std::vector<double>& out) const;
  double multiply_by_gram();
  double longest_step() const;
  double try_step(double length);
  void project_block(std::size_t begin, std::size_t end);
  void project_to_simplex(std::size_t begin, std::size_t end, double mass);
  double ridge_loss() const;

  WorkingSet& working_set_;
  std::vector<Variable> variables_;      // of the face, blocks together
  std::vector<std::size_t> block_ends_;  // where each block's variables end
  std::vector<double> direction_;        // [variables] d
  std::vector<double> residual_, conjugate_, product_, trial_, sorted_;
  // [dimension] sum of a times a vector over the variables; the working set's, zero between calls
  Vector& moved_;
  double entries_ = 0;  // of the variables' planes
  double work_ = 0;     // entries touched in the improve() under way
};

}  // namespace sculpt::core
