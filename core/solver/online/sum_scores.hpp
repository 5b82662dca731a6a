// sum_scores.hpp - the w of a running sum, if planes have an inner product of their own.
//
// Held by OnlineRun. With a kernel the sum z has coefficients of atoms and blocks, and the oracle
// needs w = M z, the scores of the training atoms (qp/plane/inner_product.hpp). A step changes few
// entries of z, and costs one row of the kernel for each atom. Without a kernel w is z.
#pragma once

#include <cstdint>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/inner_product.hpp"

namespace sculpt::core {

class SumScores {
 public:
  // nullptr: w is z.
  SumScores(InnerProduct* inner_product, std::size_t dimension)
      : inner_product_(inner_product), w_(inner_product == nullptr ? 0 : dimension, 0.0) {}

  // The w of the sum z, which has followed each of its steps.
  const Vector& w(const Vector& z) const { return inner_product_ == nullptr ? z : w_; }
  // Follows the step z += factor a.
  void add(double factor, const SparseVector& a);

  // ||a||^2 of a plane of this example.
  double squared_norm(std::int64_t example, const SparseVector& a);
  // Sets w = M v without the rounding of the steps, and returns ||w||^2.
  double multiply_exactly(const Vector& v, Vector& w) const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  InnerProduct* inner_product_;
  Vector w_;             // [dimension], empty without an inner product
  Vector zeros_;         // [dimension] scratch memory, empty until it is needed
  SparseVector change_;  // likewise
};

}  // namespace sculpt::core
