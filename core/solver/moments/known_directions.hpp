// known_directions.hpp - the directions of the systems that were solved before, to solve the next
// with the same A in fewer steps.
//
//   x = sum over t of p_t <p_t, c> / <p_t, A p_t>
//
// is the solution of A x = c within their span, because they are conjugate: <p_s, A p_t> = 0. It
// needs no product with A. Steps in directions that are conjugate to all of them find the rest.
// Source: Erhel & Guyomarc'h, SIAM J. Matrix Anal. Appl. 21 (2000), augmented conjugate gradients.
//
// Held by ConjugateGradients. Vectors are [dimension]. Sums do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class KnownDirections {
 public:
  // Keeps the first directions, at most this many bytes. workers == nullptr: this thread alone.
  KnownDirections(std::size_t max_bytes, Workers* workers)
      : max_bytes_(max_bytes), workers_(workers) {}

  bool is_empty() const { return directions_.empty(); }
  // Requires x = 0 and r = c. Sets x, and r = c - A x.
  void solve(Vector& x, Vector& r) const;
  // Makes p conjugate to all of them: subtracts its parts along them.
  void make_conjugate(Vector& p) const;
  // Adds p, with product = A p and curvature = <p, A p> > 0. Requires a p that is conjugate.
  void add(const Vector& p, const Vector& product, double curvature);

  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t dimension);

  // The bytes of all directions of such a length at most.
  static double bytes(double max_bytes, double dimension);

 private:
  struct Direction {
    Vector p;
    Vector product;  // A p
    double curvature = 0;
  };

  std::vector<double> parts_along(Vector Direction::*by, const Vector& v) const;
  void subtract(const std::vector<double>& parts, Vector Direction::*of, Vector& v) const;

  std::size_t max_bytes_;
  Workers* workers_;
  std::vector<Direction> directions_;
};

}  // namespace sculpt::core
