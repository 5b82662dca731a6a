// chain_weights.hpp - the exponentials of the scores of a chain, relative to the largest score of
// each row or table.
//
//   unary e_v(k) = exp(u_v(k) - max u_v),   table S(c) = exp(p(c) - max p)
//   local weight of a position = e of order one; in order two pair table times e of the last
//   variable, and at the first position e of the first variable
//
// So all weights are in (0, 1]. Each unary row and each table is exponentiated once, however many
// positions share it. Source: CRFsuite (Okazaki, 2007) chose this for its speed.
//
// The passes multiply at most a few weights between two normalizations. If spreads (largest minus
// smallest score) are moderate, no product underflows, and all results have the accuracy of
// rounding, whatever the length. With R = largest spread of the local weights + largest spread of
// the steps and states <= 2^15:
//
//   order one   a normalized cell is at least exp(-R) / states^2; the smallest product exp(-2 R)
//   order two   two steps join any pair of cells: exp(-2 R) and exp(-4 R)
//
// compute() refuses R above 300 or 150. Used by chain_marginals.hpp.
#pragma once

#include <vector>

#include "chain_shape.hpp"
#include "step_tables.hpp"

class ChainWeights {
 public:
  // Requires shape.build(graph of theta). Returns false if a score is not finite or if the spreads
  // are too large. Nothing else is valid then.
  bool compute(const ChainShape& shape, const double* theta);

  // The local weights of all positions. [cells of the shape]
  const double* local() const { return is_order_two_ ? local_.data() : unary_.data(); }
  const StepTables& steps() const { return steps_; }
  // log of what all weights were divided by, with the constant factors.
  double log_scale() const { return log_scale_; }

 private:
  bool exponentiate_unary(const ChainShape& shape, const double* theta);
  bool exponentiate_table(const ChainShape::Table& table, const double* theta, double* weights,
                          double& spread);
  void multiply_local(const ChainShape& shape);

  bool is_order_two_ = false;
  double log_scale_ = 0;
  double unary_spread_ = 0;
  std::vector<double> scores_;  // scratch: unary scores with those of extra factors
  std::vector<double> unary_, pairs_, local_;
  StepTables steps_;
};

// Sets scores[states_from()[v] + k] to the sum of theta over all factors over variable v alone.
void sum_unary(const ChainShape& shape, const double* theta, std::vector<double>& scores);
