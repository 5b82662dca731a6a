// moment_system.hpp - the linear system A w = b of moment_objective.hpp, by products A v: memory
// for some vectors, never for A.
//
// Examples without an output have no moments and count in n only. Called by the solvers of the
// system, and by verify. Vectors are [dimension].
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/moment_objective.hpp"
#include "objective/moments.hpp"
#include "objective/pass.hpp"
#include "objective/ports.hpp"

namespace sculpt::core {

// The ports that such a system needs.
std::vector<Port> ports_of_moments(const MomentTerms& terms);
// The one that is asked for the moments. Requires these ports.
ExampleSource& source_of_moments(const MomentTerms& terms, const Ports& ports);

class MomentSystem {
 public:
  // The ports must offer ports_of_moments(). Their sources must outlive this.
  MomentSystem(const MomentTerms& terms, const Ports& ports);

  // Both functions throw what the sources throw; their results are then invalid.
  //
  // Returns the number of examples without output.
  std::int64_t compute_b(const Pass& pass, Vector& b) { return moments_->compute_b(pass, b); }
  // out = A v. Refuses an oracle whose C_i is not positive semidefinite.
  void multiply(const Pass& pass, const Vector& v, Vector& out);

  // The oracle calls of both, as in moments.hpp.
  std::int64_t calls_of_b() const { return moments_->calls_of_b(); }
  std::int64_t calls_of_product() const { return moments_->calls_of_product(); }

  const MomentTerms& terms() const { return terms_; }
  // That of the examples, threads and messages.
  ExampleSource& source() const { return source_; }
  Workers* workers() const { return source_.workers(); }

 private:
  void require_positive(const Vector& v, const Vector& product) const;

  MomentTerms terms_;
  ExampleSource& source_;
  std::unique_ptr<Moments> moments_;
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
