// moment_system.hpp - the linear system A w = b of moment_objective.hpp, by products A v: memory
// for some vectors, never for A.
//
// Examples without an output have no moments and count in n only. Called by the solvers of the
// system, and by verify. Vectors are [dimension].
#pragma once

#include <cstdint>

#include "linalg/vector.hpp"
#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/moment_objective.hpp"
#include "objective/pass.hpp"

namespace sculpt::core {

class MomentSystem {
 public:
  // The sources must outlive this.
  MomentSystem(const MomentTerms& terms, ExpectationSource& expectations, CountSource& truths);

  // Both functions throw what the sources throw; their results are then invalid.
  //
  // Asks about each example once. Returns the number of examples without output.
  std::int64_t compute_b(const Pass& pass, Vector& b);
  // out = A v. Asks about each example once for C_i, and once more for b_i. Refuses an oracle whose
  // C_i is not positive semidefinite.
  void multiply(const Pass& pass, const Vector& v, Vector& out);

  // The number of queries about each example in multiply().
  std::int64_t queries_of_product() const { return terms_.adds_deviations ? 2 : 1; }
  const MomentTerms& terms() const { return terms_; }
  Workers* workers() const { return expectations_.workers(); }

 private:
  void require_positive(const Vector& v, const Vector& product) const;

  MomentTerms terms_;
  ExpectationSource& expectations_;
  CountSource& truths_;
  Vector zero_;       // the w of the uniform distribution
  Vector deviation_;  // 1/n sum of c_i b_i <b_i, v>
};

// What A w says of w, with r = b - A w.
struct MomentPoint {
  double primal = 0;            // Q(w) = -1/2 <w, b + r>
  double squared_residual = 0;  // ||r||^2
  double magnitude = 0;         // of the terms of Q

  // Q is strongly convex: Q(w) - ||r||^2 / (2 lambda) <= min Q. NaN if lambda is 0.
  double dual(double lambda) const;
};
MomentPoint moment_point(Workers* workers, const Vector& w, const Vector& b, const Vector& r);

}  // namespace sculpt::core
