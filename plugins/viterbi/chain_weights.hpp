// chain_weights.hpp - the exponentials of the scores of a chain, relative to the largest score of
// each row or table.
//
//   unary e_v(k) = exp(u_v(k) - max u_v),   table S(c) = exp(p(c) - max p)
//   local weight of a position = e of order one; in order two pair table times e of the last
//   variable, and at the first position e of the first variable
//
// So all weights are at most 1. Each unary row and each table is exponentiated once, however many
// positions share it. Source: CRFsuite (Okazaki, 2007) chose this for its speed.
//
// Weights and products below about exp(-700) become 0. This loses nothing where the spreads R
// (largest minus smallest score) of the pair and triple tables are moderate:
//
//   A state whose unary score is D below the best one of its variable has a probability of at most
//   exp(2 R_pair + 3 R_triple - D): an assignment with the best state instead differs in two pairs
//   and three triples.
//   A product that becomes 0 in the forward pass is below exp(-700). The normalizer of its position
//   is at least exp(-R_pair - R_triple) / states. Its factor in the backward pass is at most
//   exp(R_pair + 2 R_triple). So it would add at most exp(2 R_pair + 3 R_triple - 700) states.
//
// compute() therefore refuses 2 R_pair + 3 R_triple above 600. All sums then have the accuracy of
// rounding, whatever the length and the unary scores. Single states may be forbidden, with a score
// of -infinity. Used by chain_marginals.hpp.
#pragma once

#include <vector>

#include "chain_shape.hpp"
#include "step_tables.hpp"

class ChainWeights {
 public:
  // Requires shape.build(graph of theta). Returns false if the spreads are too large, if no state
  // of a variable is possible, or if a score is NaN or infinity. Nothing else is valid then.
  bool compute(const ChainShape& shape, const double* theta);

  // The local weights of all positions. [cells of the shape]
  const double* local() const { return is_order_two_ ? local_.data() : unary_.data(); }
  const StepTables& steps() const { return steps_; }
  // log of what all weights were divided by, with the constant factors.
  double log_scale() const { return log_scale_; }

 private:
  struct Extent {
    double largest = 0;  // score
    double spread = 0;   // largest minus smallest score
  };
  bool exponentiate_unary(const ChainShape& shape, const double* theta);
  static bool can_keep_table(const ChainShape& shape);
  bool has_kept_table(const ChainShape& shape, const double* theta) const;
  void keep_table(const ChainShape& shape, const double* theta, Extent extent);
  Extent exponentiate_steps(const ChainShape& shape, const double* theta);
  Extent exponentiate_table(const ChainShape::Table& table, const double* theta, double* weights);
  void multiply_local(const ChainShape& shape);

  bool is_order_two_ = false;
  double log_scale_ = 0;
  std::vector<double> scores_;  // scratch: unary scores with those of extra factors
  std::vector<double> unary_, pairs_, local_;
  StepTables steps_;
  // The scores whose exponentials steps_ has; empty: those of no single table.
  std::vector<double> kept_scores_;
  std::size_t kept_first_ = 0;
  Extent kept_extent_;
};

// Sets scores[states_from()[v] + k] to the sum of theta over all factors over variable v alone.
void sum_unary(const ChainShape& shape, const double* theta, std::vector<double>& scores);
