// plane_vector.hpp - the a of a plane in the working set, in the smallest form that keeps it
// exactly.
//
// Held by WorkingSet, read by Sweeps and FaceAscent. The QP reads planes from memory far more often
// than it computes with them: 6 bytes an entry instead of 12 are worth as much as fewer entries.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include "linalg/vector.hpp"

namespace sculpt::core {

class PlaneVector {
 public:
  explicit PlaneVector(SparseVector a);
  explicit PlaneVector(Vector a) : a_(std::move(a)) {}

  double dot(const Vector& x) const;           // <a, x>
  void add_to(double scale, Vector& x) const;  // x += scale a
  void scatter(Vector& zeros) const;           // zeros = a where a is not 0
  void unscatter(Vector& scattered) const;     // undoes it
  std::size_t entry_count() const;             // the cost of each of the above
  std::size_t bytes() const;                   // of its entries

 private:
  std::variant<ShortSparseVector, FloatSparseVector, SparseVector, Vector> a_;
};

}  // namespace sculpt::core
